//! Failures in words a member can act on (S-8).

use crate::browser;
use crate::text;
use crate::ui::icon::{Icon, IconSize};
use crate::ui::page;
use crate::ui::replica::replica;
use crate::ui::routes::Route;
use crate::ui::shell::my_profile;
use crate::ui::when;
use dioxus::prelude::*;
use shared::{Failure, FailureKind, KinId, Right, UnixMillis};
use sync::view::Activity;

/// In a list: what a Kin is doing, or why it is not. `None` when there is nothing to say.
pub fn activity_words(activity: &Activity) -> Option<String> {
    match activity {
        Activity::Idle => None,
        Activity::Writing => Some(text!("activity-writing")),
        Activity::Retrying(_) => Some(text!("activity-retrying")),
        Activity::Failed(kind) => Some(title(*kind)),
    }
}

fn key(kind: FailureKind) -> String {
    kind.as_str().replace('_', "-")
}

/// A few words.
pub fn title(kind: FailureKind) -> String {
    text!(&format!("failure-{}-title", key(kind)))
}

/// One sentence; `provider` may begin it.
pub fn sentence(failure: &Failure, provider: &str) -> String {
    match failure.retry_at {
        Some(at) if failure.kind == FailureKind::RateLimited => {
            text!("failure-rate-limited-until", provider: provider, time: when::exact_time(at))
        }
        Some(_) | None => text!(&format!("failure-{}", key(failure.kind)), provider: provider),
    }
}

const fn icon(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::RateLimited | FailureKind::TimedOut | FailureKind::TurnTooLong => "timer",
        FailureKind::Overloaded | FailureKind::Unreachable | FailureKind::CutShort | FailureKind::Redirects => "plug",
        FailureKind::Unauthorized => "key-round",
        FailureKind::ModelNotFound | FailureKind::NoModel => "sparkles",
        FailureKind::Malformed | FailureKind::ContextTooLong | FailureKind::Refused | FailureKind::Internal => {
            "circle-alert"
        }
    }
}

/// An answer that failed: what happened, in whose words, and the way out.
#[component]
pub fn FailureCard(
    failure: Failure,
    provider: String,
    kin: KinId,
    at: UnixMillis,
    on_retry: EventHandler<()>,
) -> Element {
    let may_manage = my_profile(replica()).is_some_and(|me| me.role.may(Right::ManageProviders));
    let way_out = way_out(failure.kind);
    rsx! {
        article { class: "k-result k-result--error", tabindex: "-1",
            header { class: "k-result__head",
                Icon { name: icon(failure.kind) }
                span { {title(failure.kind)} }
                time { datetime: when::machine(at), {when::time(at)} }
            }
            div { class: "k-result__body",
                p { {sentence(&failure, &provider)} }
                if !failure.detail.is_empty() {
                    details { class: "k-small k-soft k-details",
                        summary {
                            Icon { name: "chevron-right", size: IconSize::Xs }
                            {text!("failure-details")}
                        }
                        code { "{failure.detail}" }
                    }
                }
            }
            footer { class: "k-result__foot",
                button {
                    r#type: "button",
                    class: "k-btn k-btn--primary k-btn--sm",
                    onclick: move |_| on_retry.call(()),
                    Icon { name: "refresh-cw", size: IconSize::Sm }
                    {text!("retry")}
                }
                match way_out {
                    WayOut::Kin => rsx! {
                        Link { class: "k-btn k-btn--sm", to: Route::settings(kin), {text!("failure-to-kin")} }
                    },
                    WayOut::Provider if may_manage => rsx! {
                        Link { class: "k-btn k-btn--sm", to: Route::Providers {}, {text!("failure-to-providers")} }
                    },
                    WayOut::Provider | WayOut::Wait => rsx! {},
                }
            }
        }
    }
}

/// What a member can do about a failure besides trying again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WayOut {
    /// Give the Kin another model.
    Kin,
    /// Look at the provider's settings.
    Provider,
    /// Nothing.
    Wait,
}

const fn way_out(kind: FailureKind) -> WayOut {
    match kind {
        FailureKind::NoModel | FailureKind::ModelNotFound | FailureKind::ContextTooLong => WayOut::Kin,
        FailureKind::Unauthorized
        | FailureKind::Unreachable
        | FailureKind::Malformed
        | FailureKind::Redirects
        | FailureKind::Refused => WayOut::Provider,
        FailureKind::RateLimited
        | FailureKind::Overloaded
        | FailureKind::TimedOut
        | FailureKind::CutShort
        | FailureKind::TurnTooLong
        | FailureKind::Internal => WayOut::Wait,
    }
}

/// A call that failed and will be made again by itself.
#[component]
pub fn RetryCard(failure: Failure, provider: String, kin: String) -> Element {
    rsx! {
        article { class: "k-result k-result--error", tabindex: "-1",
            header { class: "k-result__head",
                Icon { name: icon(failure.kind) }
                span { {title(failure.kind)} small { {sentence(&failure, &provider)} } }
            }
            div { class: "k-result__body",
                Countdown { kin, until: failure.retry_at }
            }
        }
    }
}

/// How much of a wait is over; `None` for one that is no wait.
fn percent(began: UnixMillis, now: UnixMillis, until: UnixMillis) -> Option<i64> {
    let whole = until.since(began);
    (whole > 0).then(|| (now.since(began) * 100 / whole).clamp(0, 100))
}

/// When it goes on, counted down.
#[component]
fn Countdown(kin: String, until: Option<UnixMillis>) -> Element {
    let began = use_hook(browser::now);
    let mut now = use_signal(browser::now);
    use_future(move || async move {
        loop {
            page::sleep(1000).await;
            now.set(browser::now());
        }
    });
    let seconds = until.map(|until| until.since(now())).filter(|ms| *ms > 0).map(|ms| (ms + 999) / 1000);
    rsx! {
        // A number that changes every second is not news to be read out.
        p { "aria-live": "off",
            match (seconds, until) {
                (Some(seconds @ 0..=90), _) => text!("retrying-seconds", name: &kin, count: u64::try_from(seconds).unwrap_or(0)),
                (Some(_), Some(until)) => text!("retrying-at", name: &kin, time: when::time(until)),
                _ => text!("retrying-soon", name: &kin),
            }
        }
        if let Some(percent) = until.and_then(|until| percent(began, now(), until)) {
            div {
                class: "k-progress k-progress--warn k-countdown",
                role: "progressbar",
                "aria-label": text!("retrying-bar"),
                "aria-valuenow": "{percent}",
                i { width: "{percent}%" }
            }
        }
    }
}
