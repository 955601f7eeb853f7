use super::super::{KEY, RequestState, Script, ScriptedProvider, Vendor};
use super::{VENDORS, ask, body, events, json_of, parse, said, send, whole};
use futures_util::StreamExt;
use serde_json::Value;
use std::time::Duration;

/// Reads until the stream ends or breaks; true when it broke.
async fn drain(response: reqwest::Response) -> (Vec<Vec<u8>>, bool) {
    let mut stream = response.bytes_stream();
    let mut pieces = Vec::new();
    while let Some(piece) = stream.next().await {
        match piece {
            Ok(piece) => pieces.push(piece.to_vec()),
            Err(_) => return (pieces, true),
        }
    }
    (pieces, false)
}

fn error_word(vendor: Vendor, body: &Value) -> &str {
    let word = match vendor {
        Vendor::OpenAi => &body["error"]["code"],
        Vendor::Anthropic => &body["error"]["type"],
    };
    word.as_str().unwrap_or("null")
}

#[tokio::test]
async fn refusals_have_each_vendors_status_and_words() {
    let cases = [
        (Script::Unauthorized, (401, "invalid_api_key"), (401, "authentication_error")),
        (Script::ModelNotFound, (404, "model_not_found"), (404, "not_found_error")),
        (Script::rate_limit(7, 1), (429, "rate_limit_exceeded"), (429, "rate_limit_error")),
        (Script::Overloaded, (503, "null"), (529, "overloaded_error")),
        (Script::ContextTooLong, (400, "context_length_exceeded"), (400, "invalid_request_error")),
        (Script::error_event(["a"]), (500, "null"), (529, "overloaded_error")),
    ];
    let provider = ScriptedProvider::start().await;
    for (script, openai, anthropic) in cases {
        for (vendor, expected) in VENDORS.into_iter().zip([openai, anthropic]) {
            // A refusal looks the same whether a stream was asked for or not.
            let stream = !matches!(script, Script::ErrorEvent { .. });
            provider.push(script.clone());
            let response = ask(&provider, vendor, "hello", stream).await;
            let status = response.status().as_u16();
            let retry_after = response.headers().get("retry-after").cloned();
            let body = whole(response).await;
            assert_eq!((status, error_word(vendor, &body)), expected, "{script:?}");
            assert_eq!(retry_after.is_some_and(|value| value == "7"), status == 429);
            if vendor == Vendor::Anthropic {
                assert_eq!(body["type"], "error");
                assert!(body["request_id"].is_string());
            }
        }
    }
}

#[tokio::test]
async fn wrong_key_or_model_uses_up_no_script() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::answer(["fine"]));
    for vendor in VENDORS {
        let mut request = body(vendor, "hello", true);
        assert_eq!(send(&provider, vendor, "other", &request).await.status(), 401);
        request["model"] = "gpt-2".into();
        let refused = send(&provider, vendor, KEY, &request).await;
        assert_eq!(refused.status(), 404);
        let body = whole(refused).await;
        assert!(body["error"]["message"].as_str().is_some_and(|text| text.contains("gpt-2")));
    }
    assert_eq!(provider.queued(), 1);
    assert_eq!(provider.requests().len(), 4);
}

#[tokio::test]
async fn rate_limit_holds_for_its_times_then_the_next_script_comes() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::rate_limit(1, 2));
    provider.push(Script::answer(["at last"]));
    let mut statuses = Vec::new();
    for _ in 0..3 {
        statuses.push(ask(&provider, Vendor::OpenAi, "hello", true).await.status().as_u16());
    }
    assert_eq!(statuses, [429, 429, 200]);

    statuses.clear();
    for _ in 0..3 {
        let asked = ask(&provider, Vendor::Anthropic, "[rate-limit 1 2]", true);
        statuses.push(asked.await.status().as_u16());
    }
    assert_eq!(statuses, [429, 429, 200], "a message's wish is granted as often as it says");
}

#[tokio::test]
async fn cut_stream_is_an_error_after_its_chunks() {
    let provider = ScriptedProvider::start().await;
    for vendor in VENDORS {
        provider.push(Script::cut(["one ", "two "]));
        let (pieces, broke) = drain(ask(&provider, vendor, "hello", true).await).await;
        assert!(broke);
        let text = String::from_utf8(pieces.concat()).expect("whole characters");
        assert_eq!(said(&parse(&text)), "one two ");
        assert!(!text.contains("[DONE]") && !text.contains("message_stop"));

        provider.push(Script::cut(["one ", "two "]));
        let (pieces, broke) = drain(ask(&provider, vendor, "hello", false).await).await;
        assert!(broke);
        assert!(serde_json::from_slice::<Value>(&pieces.concat()).is_err());
    }
    assert!(provider.requests().iter().all(|request| request.state == RequestState::Cut));
}

#[tokio::test]
async fn characters_split_across_writes_come_together_again() {
    let provider = ScriptedProvider::start().await;
    let Script::SplitUtf8 { text } = Script::split_utf8() else { panic!("a split answer") };
    for vendor in VENDORS {
        provider.push(Script::split_utf8());
        let (pieces, broke) = drain(ask(&provider, vendor, "hello", true).await).await;
        assert!(!broke);
        let torn = pieces.iter().filter(|piece| std::str::from_utf8(piece).is_err()).count();
        assert!(torn > 10, "only {torn} of {} writes end inside a character", pieces.len());
        let stream = String::from_utf8(pieces.concat()).expect("whole characters");
        assert_eq!(said(&parse(&stream)), text);

        provider.push(Script::split_utf8());
        let answer = whole(ask(&provider, vendor, "hello", false).await).await;
        assert!(answer.to_string().contains(&text));
    }
}

#[tokio::test]
async fn error_event_ends_the_stream_in_the_vendors_words() {
    let provider = ScriptedProvider::start().await;
    for vendor in VENDORS {
        provider.push(Script::error_event(["one "]));
        let events = events(ask(&provider, vendor, "hello", true).await).await;
        assert_eq!(said(&events), "one ");
        let last = events.last().expect("events");
        let error = json_of(last);
        match vendor {
            Vendor::OpenAi => {
                assert_eq!(last.0, None);
                assert_eq!(error["error"]["type"], "server_error");
            }
            Vendor::Anthropic => {
                assert_eq!(last.0.as_deref(), Some("error"));
                assert_eq!(error["error"]["type"], "overloaded_error");
            }
        }
    }
}

#[tokio::test]
async fn garbage_and_pages_come_with_status_200() {
    let provider = ScriptedProvider::start().await;
    for vendor in VENDORS {
        for stream in [true, false] {
            provider.push(Script::GarbageJson);
            let garbage = ask(&provider, vendor, "hello", stream).await;
            assert_eq!(garbage.status(), 200);
            let text = garbage.text().await.expect("a proper end");
            assert!(serde_json::from_str::<Value>(&text).is_err());
            if stream {
                let (_, data) = parse(&text).pop().expect("an event");
                assert!(serde_json::from_str::<Value>(&data).is_err());
            }

            provider.push(Script::Html);
            let page = ask(&provider, vendor, "hello", stream).await;
            assert_eq!(page.status(), 200);
            assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
            assert!(page.text().await.expect("a page").starts_with("<!DOCTYPE html>"));
        }
    }
}

#[tokio::test]
async fn silence_lasts_until_the_client_leaves() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::Silence);
    let asked = ask(&provider, Vendor::OpenAi, "hello", true);
    assert!(tokio::time::timeout(Duration::from_millis(200), asked).await.is_err());
    provider.wait_for_state(1, RequestState::Abandoned).await;

    provider.push(Script::silence_after(["one "]));
    let mut response = ask(&provider, Vendor::Anthropic, "hello", true).await;
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("one ") {
        seen.extend(response.chunk().await.expect("no break").expect("no end"));
    }
    let more = tokio::time::timeout(Duration::from_millis(200), response.chunk()).await;
    assert!(more.is_err(), "nothing follows: {more:?}");
    assert_eq!(provider.requests()[1].state, RequestState::Open);
    drop(response);
    provider.wait_for_state(2, RequestState::Abandoned).await;
}
