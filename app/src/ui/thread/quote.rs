//! A message within another: what is quoted, above the composer and in a bubble.

use crate::text;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::replica::replica;
use dioxus::prelude::*;
use shared::{MessageId, SessionId};

/// Characters of a quoted message that are shown.
const EXCERPT: usize = 140;

/// What is quoted, as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quoted {
    /// Which message.
    pub message: MessageId,
    /// Who wrote it; `None` when it is not loaded.
    pub by: Option<String>,
    /// How it begins.
    pub excerpt: String,
}

/// How a message begins, on one line, without Markdown's marks.
pub fn excerpt(text: &str) -> String {
    let plain: String = text.chars().filter(|letter| !matches!(letter, '*' | '`' | '#' | '>' | '|')).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ").chars().take(EXCERPT).collect()
}

/// In a bubble; pressing it shows the message.
#[component]
pub fn QuoteLine(quoted: Quoted) -> Element {
    let mut replica = replica();
    let Quoted { message, by, excerpt } = quoted;
    rsx! {
        button {
            r#type: "button",
            class: "k-reply",
            onclick: move |_| replica.seek_here(message),
            span { class: "k-vh", {text!("quote-jump")} " " }
            Icon { name: "reply", size: IconSize::Xs }
            span {
                match by {
                    Some(by) => rsx! { b { "{by}" } " {excerpt}" },
                    None => rsx! { {text!("quote-older")} },
                }
            }
        }
    }
}

/// Above the composer, with a way out.
#[component]
pub fn Replying(session: SessionId, quoted: Quoted) -> Element {
    let mut replica = replica();
    let Quoted { message, by, excerpt } = quoted;
    let by = by.unwrap_or_default();
    rsx! {
        div { class: "k-replying", role: "group", "aria-label": text!("replying-to", name: &by),
            Icon { name: "reply", size: IconSize::Sm }
            button { r#type: "button", class: "k-replying__words", onclick: move |_| replica.seek_here(message),
                b { {text!("replying-to", name: &by)} }
                span { "{excerpt}" }
            }
            button {
                r#type: "button",
                class: "k-iconbtn k-iconbtn--sm",
                "aria-label": text!("reply-not"),
                onclick: move |_| {
                    replica.reply_to(session, None);
                    crate::ui::page::focus("#composer");
                },
                Icon { name: "x" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::excerpt;

    #[test]
    fn an_excerpt_is_one_line_of_plain_words() {
        assert_eq!(excerpt("# Two **eggs**\n\n- and `flour`"), "Two eggs - and flour");
        assert_eq!(excerpt(&"long ".repeat(100)).chars().count(), super::EXCERPT);
    }
}
