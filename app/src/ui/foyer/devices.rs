//! The member's own devices.

use crate::api::ApiError;
use crate::api::household::{self as api, Device};
use crate::text;
use crate::ui::icon::{Icon, Windows};
use crate::ui::when;
use dioxus::prelude::*;

/// The list, with a way to sign each of the others out.
#[component]
pub fn Devices() -> Element {
    let mut devices = use_signal(|| None::<Result<Vec<Device>, ApiError>>);
    let mut problem = use_signal(|| None::<String>);
    let refresh = use_callback(move |()| {
        spawn(async move {
            let list = api::devices().await;
            devices.set(Some(list));
        });
    });
    use_hook(|| refresh.call(()));
    let list = devices.read().as_ref().and_then(|list| list.as_ref().ok()).cloned().unwrap_or_default();
    let failed = devices.read().as_ref().and_then(|list| list.as_ref().err().map(ApiError::words));
    let has_others = list.iter().any(|device| !device.current);
    rsx! {
        section { class: "k-section",
            div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("devices-title")} } } }
            div { class: "k-card k-card--flush",
                if let Some(failed) = failed {
                    div { class: "k-empty", role: "alert", p { "{failed}" } button { r#type: "button", class: "k-btn", onclick: move |_| refresh.call(()), {text!("try-again")} } }
                } else if devices.read().is_none() {
                    div { class: "k-empty", Windows {} span { class: "k-vh", role: "status", {text!("loading")} } }
                } else {
                    ul { class: "k-list", "aria-label": text!("devices-title"),
                        for device in list {
                            li { key: "{device.id}",
                                DeviceRow {
                                    device,
                                    on_done: move |error: Option<ApiError>| {
                                        problem.set(error.map(|error| error.words()));
                                        refresh.call(());
                                    },
                                }
                            }
                        }
                    }
                }
            }
            if let Some(problem) = problem() {
                p { class: "k-field__hint is-bad", role: "alert", "{problem}" }
            }
            p { class: "k-tiny k-muted k-under", {text!("devices-lead")} }
            if has_others {
                div { class: "k-cluster",
                    button {
                        r#type: "button",
                        class: "k-btn k-btn--sm k-btn--danger-ghost",
                        onclick: move |_| async move {
                            problem.set(api::revoke_others().await.err().map(|error| error.words()));
                            refresh.call(());
                        },
                        {text!("devices-others")}
                    }
                }
            }
        }
    }
}

#[component]
fn DeviceRow(device: Device, on_done: EventHandler<Option<ApiError>>) -> Element {
    let icon = match device.name.as_str() {
        name if name.contains("iPad") => "tablet",
        name if name.contains("Android") || name.contains("iPhone") => "smartphone",
        _ => "laptop",
    };
    let name = if device.name.is_empty() { text!("device-unnamed") } else { device.name.clone() };
    let id = device.id;
    rsx! {
        div { class: "k-row",
            span { class: "k-tile", Icon { name: icon } }
            span { class: "k-row__main",
                span { class: "k-row__title", span { "{name}" } }
                span { class: "k-row__sub is-wrap",
                    if device.current { {text!("device-this")} } else { {text!("seen-at", when: when::brief(device.last_seen_at))} }
                }
            }
            span { class: "k-row__end",
                if device.current {
                    span { class: "k-chip k-chip--sm is-ok", {text!("device-here")} }
                } else {
                    button {
                        r#type: "button",
                        class: "k-btn k-btn--sm k-btn--danger-ghost",
                        "aria-label": text!("device-sign-out-of", name: &name),
                        onclick: move |_| async move { on_done.call(api::revoke_device(id).await.err()) },
                        {text!("device-sign-out")}
                    }
                }
            }
        }
    }
}
