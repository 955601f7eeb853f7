//! Which capabilities are covered, as arches that are lit, dark or only drawn.

use super::providers;
use crate::text;
use crate::ui::icon::Icon;
use dioxus::prelude::*;

/// One arch per capability; looking things up only where `search` asks for it.
#[component]
pub fn Coverage(search: bool) -> Element {
    let list = providers().list().unwrap_or_default();
    let all = [
        ("llm", "message-circle", text!("coverage-think"), text!("coverage-think-none")),
        ("embedding", "brain", text!("coverage-remember"), text!("coverage-remember-none")),
        ("image", "image", text!("coverage-draw"), text!("coverage-optional")),
        ("search", "globe", text!("coverage-search"), text!("coverage-optional")),
    ];
    let shown = if search { 4 } else { 3 };
    rsx! {
        div { class: if search { "k-coverage k-coverage--4" } else { "k-coverage" }, role: "group", "aria-label": text!("coverage"),
            for (capability, icon, name, none) in all.into_iter().take(shown) {
                Arch { key: "{capability}", capability, icon, name, none, list: list.iter().filter(|one| one.can(capability)).map(|one| (one.name.clone(), one.is_failing())).collect::<Vec<_>>() }
            }
        }
    }
}

#[component]
fn Arch(
    capability: &'static str,
    icon: &'static str,
    name: String,
    none: String,
    list: Vec<(String, bool)>,
) -> Element {
    let working: Vec<&String> = list.iter().filter(|(_, failing)| !failing).map(|(name, _)| name).collect();
    let is_optional = matches!(capability, "image" | "search");
    let (class, words) = match (working.as_slice(), list.first()) {
        ([one], _) => ("k-coverage__item is-lit", (*one).clone()),
        ([_, _, ..], _) => ("k-coverage__item is-lit", text!("coverage-ready", count: working.len())),
        ([], Some((down, _))) => ("k-coverage__item", text!("coverage-down", name: down)),
        ([], None) if is_optional => ("k-coverage__item is-dashed", none),
        ([], None) => ("k-coverage__item", none),
    };
    rsx! {
        div { class,
            Icon { name: icon }
            span { "{name}" }
            small { "{words}" }
        }
    }
}
