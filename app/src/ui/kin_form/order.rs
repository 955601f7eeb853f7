//! The household's order of its Kins: by dragging, and by buttons for keys and fingers.

use crate::api::kins::order_kins;
use crate::i18n::Phrase;
use crate::text;
use crate::ui::avatar::{FaceSize, KinFace};
use crate::ui::dialog::Dialog;
use crate::ui::field::FormProblem;
use crate::ui::icon::Icon;
use crate::ui::page;
use crate::ui::replica::replica;
use dioxus::prelude::*;
use shared::KinId;
use shared::profile::KinProfile;

/// A list to be put in order. Each move is kept at once.
#[component]
pub fn OrderKins(on_close: EventHandler<()>) -> Element {
    let replica = replica();
    let mut list = use_signal(|| {
        let home = replica.home();
        let home = home.peek();
        home.iter().flat_map(|home| &home.kins).map(|kin| kin.profile.clone()).collect::<Vec<KinProfile>>()
    });
    let mut said = use_signal(String::new);
    let mut problem = use_signal(|| None::<Phrase>);
    let mut dragged = use_signal(|| None::<KinId>);
    // One request at a time, the newest order last.
    let mut wanted = use_signal(|| None::<Vec<KinId>>);
    let mut sending = use_signal(|| false);
    let save = use_callback(move |()| {
        wanted.set(Some(list.peek().iter().map(|kin| kin.id).collect()));
        if *sending.peek() {
            return;
        }
        sending.set(true);
        spawn(async move {
            while let Some(ids) = wanted.take() {
                problem.set(order_kins(&ids).await.err().map(|error| error.phrase()));
            }
            sending.set(false);
        });
    });
    let mut step = move |at: usize, to: usize| {
        let count = list.peek().len();
        list.write().swap(at, to);
        let name = list.peek()[to].name.clone();
        said.set(text!("kins-order-said", name: name, place: to + 1, count: count));
        save.call(());
    };
    let count = list.read().len();
    rsx! {
        Dialog { title: text!("kins-order"), on_close,
            p { class: "k-dialog__text", {text!("kins-order-lead")} }
            ol { class: "k-order",
                for (at, kin) in list().into_iter().enumerate() {
                    li {
                        key: "{kin.id}",
                        class: if dragged() == Some(kin.id) { "k-row is-dragged" } else { "k-row" },
                        "data-hue": "{kin.hue}",
                        draggable: "true",
                        ondragstart: move |_| dragged.set(Some(kin.id)),
                        ondragover: move |event| {
                            event.prevent_default();
                            let from = list.peek().iter().position(|one| Some(one.id) == *dragged.peek());
                            if let Some(from) = from.filter(|from| *from != at) {
                                let moved = list.write().remove(from);
                                list.write().insert(at, moved);
                            }
                        },
                        ondrop: move |event| event.prevent_default(),
                        ondragend: move |_| {
                            dragged.set(None);
                            save.call(());
                        },
                        KinFace { avatar: kin.avatar.clone(), hue: kin.hue.clone(), size: FaceSize::Sm }
                        span { class: "k-row__main", span { class: "k-row__title", span { "{kin.name}" } } }
                        span { class: "k-row__end",
                            button {
                                r#type: "button",
                                id: "order-up-{kin.id}",
                                class: "k-iconbtn k-order__up",
                                "aria-label": text!("kins-order-up", name: &kin.name),
                                "aria-disabled": (at == 0).then_some("true"),
                                onclick: move |_| {
                                    if at > 0 {
                                        step(at, at - 1);
                                        follow("up", kin.id);
                                    }
                                },
                                Icon { name: "chevron-down" }
                            }
                            button {
                                r#type: "button",
                                id: "order-down-{kin.id}",
                                class: "k-iconbtn",
                                "aria-label": text!("kins-order-down", name: &kin.name),
                                "aria-disabled": (at + 1 == count).then_some("true"),
                                onclick: move |_| {
                                    if at + 1 < count {
                                        step(at, at + 1);
                                        follow("down", kin.id);
                                    }
                                },
                                Icon { name: "chevron-down" }
                            }
                        }
                    }
                }
            }
            p { class: "k-vh", role: "status", "{said}" }
            FormProblem { problem: problem() }
            div { class: "k-dialog__actions",
                button { r#type: "button", class: "k-btn k-btn--primary", onclick: move |_| on_close.call(()), {text!("kins-order-done")} }
            }
        }
    }
}

/// The focus goes with the row that moved.
fn follow(way: &'static str, kin: KinId) {
    spawn(async move {
        page::sleep(0).await;
        page::focus(&format!("#order-{way}-{kin}"));
    });
}
