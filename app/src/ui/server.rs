//! The server: whether others reach it and what to do, its certificate, its disk, its settings.

use super::icon::{Icon, IconSize, Windows};
use super::thread::status::CopyText;
use super::{page, when};
use crate::api::ApiError;
use crate::api::server::{Certificate, Data, Reach, ServerView, Setting, server};
use crate::text;
use dioxus::prelude::*;

/// Everything an admin may want to know of the server.
#[component]
pub fn ServerScreen() -> Element {
    let mut asked = use_signal(|| None::<Result<ServerView, ApiError>>);
    use_effect(|| page::set_title(&text!("title-server")));
    use_future(move || async move { asked.set(Some(server().await)) });
    rsx! {
        div { class: "k-page",
            div { class: "k-pagehead",
                div {
                    h1 { class: "k-not-phone", {text!("server")} }
                    p { {text!("server-lead")} }
                }
            }
            match &*asked.read() {
                None => rsx! {
                    p { class: "k-small k-muted", role: "status", Windows {} {text!("server-loading")} }
                },
                Some(Err(error)) => rsx! {
                    div { class: "k-stack",
                        p { class: "k-field__hint is-bad", role: "alert", {error.words()} }
                        button {
                            r#type: "button",
                            class: "k-btn",
                            onclick: move |_| async move { asked.set(Some(server().await)) },
                            Icon { name: "refresh-cw", size: IconSize::Sm }
                            {text!("try-again")}
                        }
                    }
                },
                Some(Ok(view)) => rsx! {
                    Reached { reach: view.reach.clone() }
                    if let Some(certificate) = view.certificate.clone() {
                        CertificateSection { certificate }
                    }
                    Machine { view: view.clone() }
                    Settings { settings: view.settings.clone() }
                },
            }
        }
    }
}

/// A fact in a list: a sign, what it is, and what it means.
#[component]
fn Fact(
    icon: &'static str,
    tone: &'static str,
    title: String,
    sub: String,
    #[props(default)] end: Option<Element>,
) -> Element {
    rsx! {
        li {
            div { class: "k-row",
                span { class: "k-tile {tone}", Icon { name: icon } }
                span { class: "k-row__main",
                    span { class: "k-row__title k-server-text", span { "{title}" } }
                    if !sub.is_empty() {
                        span { class: "k-row__sub is-wrap", "{sub}" }
                    }
                }
                if let Some(end) = end {
                    span { class: "k-row__end", {end} }
                }
            }
        }
    }
}

#[component]
fn Reached(reach: Reach) -> Element {
    let (icon, tone, title, sub) = match reach.state.as_str() {
        "https" => ("shield-check", "is-ok", text!("reach-https"), text!("reach-https-lead")),
        "proxy" => ("shield-check", "is-ok", text!("reach-proxy"), text!("reach-proxy-lead")),
        "until_admin" => ("lock", "is-info", text!("reach-until-admin"), text!("reach-until-admin-lead")),
        "unencrypted" => ("triangle-alert", "is-warn", text!("reach-unencrypted"), text!("reach-unencrypted-lead")),
        "failed" => ("circle-alert", "is-bad", text!("reach-failed"), reach.error.clone().unwrap_or_default()),
        _ => ("house", "is-info", text!("reach-this-machine"), text!("reach-this-machine-lead")),
    };
    rsx! {
        section { class: "k-section",
            div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("server-reach")} } } }
            div { class: "k-card k-card--flush",
                ul { class: "k-list",
                    Fact { icon, tone, title, sub }
                    if reach.unknown_proxy {
                        Fact { icon: "triangle-alert", tone: "is-warn", title: text!("reach-unknown-proxy"), sub: text!("reach-unknown-proxy-lead") }
                    }
                    Fact {
                        icon: "link",
                        tone: "",
                        title: reach.public_url.clone(),
                        sub: text!("server-address-lead"),
                        end: Some(rsx! { CopyText { text: reach.public_url.clone() } }),
                    }
                    for address in reach.addresses.clone() {
                        Fact {
                            key: "{address.url}",
                            icon: "globe",
                            tone: "",
                            title: address.url.clone(),
                            sub: text!("server-interface", name: address.interface.clone()),
                        }
                    }
                }
            }
        }
    }
}

#[component]
fn CertificateSection(certificate: Certificate) -> Element {
    let names = certificate.names.join(", ");
    let days = certificate.valid_until.map(when::days_until);
    let tone = match days {
        Some(8..) => "is-ok",
        Some(1..) => "is-warn",
        Some(0) | None => "is-bad",
    };
    let title = if names.is_empty() { text!("certificate-none") } else { names };
    let until = match (certificate.valid_until, days) {
        (Some(moment), Some(1..)) if certificate.issuer.is_empty() => {
            text!("certificate-until", day: when::day(moment))
        }
        (Some(moment), Some(1..)) => {
            text!("certificate-until-by", day: when::day(moment), issuer: certificate.issuer.clone())
        }
        (Some(moment), _) => text!("certificate-ended", day: when::day(moment)),
        (None, _) => text!("certificate-none-lead"),
    };
    let next = certificate.next_attempt_at.map(|at| format!("{}, {}", when::day(at), when::time(at)));
    rsx! {
        section { class: "k-section",
            div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("certificate")} } } }
            div { class: "k-card k-card--flush",
                ul { class: "k-list",
                    Fact { icon: "lock", tone, title, sub: until }
                    if let Some(error) = certificate.error.clone() {
                        Fact { icon: "circle-alert", tone: "is-bad", title: text!("certificate-failed"), sub: error }
                    }
                    if let Some(next) = next {
                        Fact { icon: "refresh-cw", tone: "", title: text!("certificate-next", at: next), sub: text!("certificate-next-lead") }
                    } else if certificate.source == "files" {
                        Fact { icon: "file-text", tone: "", title: text!("certificate-files"), sub: text!("certificate-files-lead") }
                    }
                }
            }
        }
    }
}

#[component]
fn Machine(view: ServerView) -> Element {
    let Data { folder, folder_bytes, free_bytes } = view.data.clone();
    let used = text!("server-data", size: size(folder_bytes));
    let started = format!("{}, {}", when::day(view.started_at), when::time(view.started_at));
    let low = view.health.problems.iter().any(|problem| problem.starts_with("disk"));
    let room = if low { "is-warn" } else { "" };
    rsx! {
        section { class: "k-section",
            div { class: "k-section__head", div { h2 { class: "k-section__title", {text!("server-machine")} } } }
            div { class: "k-card k-card--flush",
                ul { class: "k-list",
                    for problem in view.health.problems.clone() {
                        Fact {
                            key: "{problem}",
                            icon: "triangle-alert",
                            tone: severity(&problem),
                            title: trouble(&problem),
                            sub: text!("trouble-lead"),
                        }
                    }
                    Fact { icon: "archive", tone: "", title: used, sub: folder }
                    if let Some(free) = free_bytes {
                        Fact {
                            icon: "server",
                            tone: room,
                            title: text!("server-free", size: size(free)),
                            sub: String::new(),
                        }
                    }
                    Fact {
                        icon: "sparkles",
                        tone: "",
                        title: text!("server-version", version: view.version.clone()),
                        sub: text!("server-started", at: started),
                    }
                }
            }
        }
    }
}

#[component]
fn Settings(settings: Vec<Setting>) -> Element {
    rsx! {
        details { class: "k-small k-details",
            summary { {text!("server-settings")} }
            p { class: "k-muted", {text!("server-settings-lead")} }
            dl { class: "k-server-settings",
                for setting in settings {
                    div { key: "{setting.name}",
                        dt { code { "{setting.name}" } }
                        dd {
                            if setting.value.is_empty() {
                                span { class: "k-muted", {text!("setting-empty")} }
                            } else {
                                code { "{setting.value}" }
                            }
                            small { class: "k-muted", {source(&setting.source)} }
                        }
                    }
                }
            }
        }
    }
}

fn severity(problem: &str) -> &'static str {
    if problem == "disk_low" { "is-warn" } else { "is-bad" }
}

fn trouble(problem: &str) -> String {
    match problem {
        "disk_full" => text!("trouble-disk-full"),
        "disk_low" => text!("trouble-disk-low"),
        _ => text!("trouble-writes-fail"),
    }
}

fn source(source: &str) -> String {
    match source {
        "flag" => text!("setting-flag"),
        "environment" => text!("setting-environment"),
        "default" => text!("setting-default"),
        file => text!("setting-file", file: file.to_owned()),
    }
}

/// `34 MB`, from ten thousand of them on `12 GB`.
fn size(bytes: u64) -> String {
    let megabytes = bytes.div_ceil(1_000_000);
    let number = |count: u64| when::number(u32::try_from(count).unwrap_or(u32::MAX));
    if megabytes < 10_000 {
        text!("size-mb", count: number(megabytes))
    } else {
        text!("size-gb", count: number(megabytes / 1000))
    }
}
