//! Reactions under a message, and the emoji to choose from.

use crate::text;
use crate::ui::replica::replica;
use dioxus::prelude::*;
use shared::MessageId;

/// At hand in every menu.
pub const QUICK: [&str; 6] = ["👍", "❤️", "😂", "😮", "😢", "🙏"];

/// The others that can be chosen.
pub const MORE: [&str; 34] = [
    "👎", "👏", "🙌", "💪", "🤝", "👋", "🤔", "😊", "😍", "🥰", "😋", "🤗", "😅", "🙃", "😴", "🤯", "😡", "😱", "🤒",
    "🎉", "🥳", "🎂", "🌱", "🌞", "⭐", "🔥", "💡", "✅", "❌", "👀", "🍽️", "☕", "🏠", "💯",
];

/// One emoji and who gave it, as it is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    /// The emoji.
    pub emoji: String,
    /// Nicknames.
    pub names: Vec<String>,
    /// Whether the one who looks is among them.
    pub mine: bool,
}

/// All reactions to a message; pressing one joins in, or steps back.
#[component]
pub fn Reactions(message: MessageId, given: Vec<Given>) -> Element {
    let replica = replica();
    rsx! {
        if !given.is_empty() {
            div { class: "k-reacts", role: "group", "aria-label": text!("reactions"),
                for Given { emoji, names, mine } in given {
                    button {
                        key: "{emoji}",
                        r#type: "button",
                        class: "k-react",
                        "aria-pressed": if mine { "true" } else { "false" },
                        "aria-label": "{emoji} {names.join(\", \")}",
                        title: names.join(", "),
                        onclick: move |_| replica.react(message, if mine { "" } else { &emoji }),
                        span { "aria-hidden": "true", "{emoji}" }
                        if names.len() > 1 {
                            span { "aria-hidden": "true", class: "k-num", "{names.len()}" }
                        }
                    }
                }
            }
        }
    }
}

/// Emoji to choose one from; choosing the one already given takes it back.
#[component]
pub fn EmojiChoice(
    label: String,
    emoji: Vec<&'static str>,
    chosen: String,
    on_choose: EventHandler<String>,
) -> Element {
    rsx! {
        div { class: "k-emojis", role: "group", "aria-label": label,
            for one in emoji {
                button {
                    key: "{one}",
                    r#type: "button",
                    class: "k-emoji",
                    "aria-pressed": if chosen == one { "true" } else { "false" },
                    "aria-label": text!("react-with", emoji: one),
                    onclick: {
                        let next = if chosen == one { String::new() } else { one.to_owned() };
                        move |_| on_choose.call(next.clone())
                    },
                    "{one}"
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_takes_every_emoji_that_is_offered() {
        for emoji in QUICK.iter().chain(&MORE) {
            assert!(shared::message::is_emoji(emoji), "{emoji}");
        }
    }
}
