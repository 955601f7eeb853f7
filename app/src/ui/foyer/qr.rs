//! A link as a picture that a phone's camera reads.

use dioxus::prelude::*;
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write;

/// Light modules around the code: what the standard asks for.
const QUIET: i32 = 4;

/// The code of a text, or nothing when it is too long for one.
#[component]
pub fn Qr(text: ReadSignal<String>, label: String) -> Element {
    let drawn = use_memo(move || QrCode::encode_text(&text.read(), QrCodeEcc::Medium).ok().map(|code| draw(&code)));
    let drawn = drawn();
    let Some((side, path)) = drawn else { return rsx! {} };
    rsx! {
        svg { class: "k-qr", role: "img", "aria-label": "{label}", view_box: "0 0 {side} {side}", "shape-rendering": "crispEdges",
            path { d: "{path}" }
        }
    }
}

/// Side of the picture, and one path of runs of dark modules.
fn draw(code: &QrCode) -> (i32, String) {
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let run = (x..code.size()).take_while(|x| code.get_module(*x, y)).count() as i32;
            if run > 0 {
                write!(path, "M{} {}h{run}v1h-{run}z", x + QUIET, y + QUIET).ok();
            }
            x += run.max(1);
        }
    }
    (code.size() + 2 * QUIET, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_dark_module_is_drawn_once() {
        let code = QrCode::encode_text("https://kin.example/#invite=abc", QrCodeEcc::Medium).expect("fits");
        let (side, path) = draw(&code);
        let dark = (0..code.size())
            .flat_map(|y| (0..code.size()).map(move |x| (x, y)))
            .filter(|(x, y)| code.get_module(*x, *y))
            .count();
        let drawn: usize = path.split('h').skip(1).filter_map(|run| run.split('v').next()?.parse::<usize>().ok()).sum();
        assert_eq!((side, drawn), (code.size() + 8, dark));
    }
}
