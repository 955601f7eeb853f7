//! Demo: a provider that needs no key and no network, because it is a script and not an AI. It says so in every answer.
//!
//! It exists so that a household can try everything before it has a model, and so that tests have one that never fails.

mod script;

use super::capability::Capability;
use super::chat::{ChatEvent, ChatProvider, ChatRequest, ChatStream, StopReason, Usage};
use super::model_list::{ModelInfo, ModelList};
use futures_util::future::{self, BoxFuture};
use futures_util::{FutureExt, StreamExt, stream};
use shared::Failure;
use std::time::Duration;

/// The only model's name.
const MODEL: &str = "demo";
/// Pieces end at the first space after this many characters.
const PIECE_CHARS: usize = 8;

/// The built-in script as a provider.
pub(super) struct Demo {
    /// The pause before each piece.
    pub(super) piece: Duration,
}

impl ModelList for Demo {
    fn models(&self) -> BoxFuture<'_, Result<Vec<ModelInfo>, Failure>> {
        let label = Some("Demo (a script, not an AI)".to_owned());
        let model = ModelInfo { label, ..ModelInfo::named(MODEL, Capability::Llm) };
        future::ready(Ok(vec![model])).boxed()
    }
}

impl ChatProvider for Demo {
    fn chat(&self, request: ChatRequest) -> ChatStream {
        let pause = self.piece;
        let pieces = stream::iter(pieces(&script::answer(&request.scene))).then(move |piece| async move {
            if !pause.is_zero() {
                tokio::time::sleep(pause).await;
            }
            Ok(ChatEvent::Text(piece))
        });
        let done = ChatEvent::Done { usage: Usage::default(), stop: StopReason::End };
        pieces.chain(stream::iter([Ok(done)])).boxed()
    }
}

/// Cuts a text behind spaces and line ends, as models do.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces = Vec::new();
    let mut piece = String::new();
    for letter in text.chars() {
        piece.push(letter);
        if letter.is_whitespace() && piece.chars().count() >= PIECE_CHARS {
            pieces.push(std::mem::take(&mut piece));
        }
    }
    if !piece.is_empty() {
        pieces.push(piece);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::providers::chat::Scene;
    use shared::profile::Language;

    fn scene(message: &str) -> Scene {
        Scene {
            kin: "Basile".into(),
            role: "Cook".into(),
            speaker: "Ana".into(),
            language: Language::En,
            message: message.into(),
        }
    }

    #[tokio::test]
    async fn an_answer_comes_in_pieces_and_ends() {
        let demo = Demo { piece: Duration::ZERO };
        let request = ChatRequest {
            model: MODEL.into(),
            system: vec![],
            messages: vec![],
            max_tokens: 100,
            scene: scene("Bonjour !"),
        };
        let events: Vec<ChatEvent> = demo.chat(request).map(|event| event.expect("never fails")).collect().await;
        let (last, texts) = events.split_last().expect("events");
        assert_eq!(*last, ChatEvent::Done { usage: Usage::default(), stop: StopReason::End });
        assert!(texts.len() > 10);
        let text: String =
            texts.iter().map(|event| if let ChatEvent::Text(text) = event { text } else { "?" }).collect();
        assert_eq!(text, script::answer(&scene("Bonjour !")));
    }

    #[test]
    fn pieces_join_to_the_text() {
        let text = "Été:  two\n\n```rust\nfn main() {}\n```\n👩‍👧";
        assert_eq!(pieces(text).concat(), text);
        assert!(pieces(text).iter().all(|piece| !piece.is_empty()));
        assert!(pieces("").is_empty());
    }
}
