//! Says that there is a new build of the app. Finding it and changing to it is `public/update.js`.

use super::page::{self, Listener};
use crate::text;
use dioxus::prelude::*;

/// What there is to say, as `update.js` writes it on the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Update {
    /// A new build is here.
    Ready,
    /// Another tab has changed to it; this one has no replica any more.
    Moved,
    /// The server no longer has what this page still needs.
    Gone,
}

impl Update {
    fn on_page() -> Option<Self> {
        match page::root()?.get_attribute("data-update")?.as_str() {
            "ready" => Some(Self::Ready),
            "moved" => Some(Self::Moved),
            "gone" => Some(Self::Gone),
            _ => None,
        }
    }

    fn words(self) -> String {
        match self {
            Self::Ready => text!("update-ready"),
            Self::Moved => text!("update-moved"),
            Self::Gone => text!("update-gone"),
        }
    }
}

/// The news, on whichever screen, until it is put off or followed.
#[component]
pub fn UpdateNews() -> Element {
    let mut update = use_signal(Update::on_page);
    let mut put_off = use_signal(|| None::<Update>);
    let look = use_callback(move |()| update.set(Update::on_page()));
    use_hook(|| CopyValue::new(Listener::on_window("kinstead-update", move |_| look.call(()))));
    let news = update().filter(|news| put_off() != Some(*news));
    rsx! {
        // There before the news, so that screen readers hear of it.
        div { class: "k-toasts", role: "status",
            if let Some(news) = news {
                div { class: "k-toast k-update",
                    span { {news.words()} }
                    // What waits or is broken cannot be put off.
                    if news == Update::Ready {
                        button {
                            r#type: "button",
                            class: "k-btn k-btn--ghost k-btn--sm",
                            onclick: move |_| put_off.set(Some(news)),
                            {text!("update-later")}
                        }
                    }
                    button {
                        r#type: "button",
                        class: "k-btn k-btn--ghost k-btn--sm",
                        onclick: move |_| page::announce("kinstead-reload"),
                        {text!("update-reload")}
                    }
                }
            }
        }
    }
}
