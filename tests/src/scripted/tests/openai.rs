use super::super::{OPENAI_MODELS, Script, ScriptedProvider, Vendor};
use super::{ask, body, events, json_of, said, send, whole};
use serde_json::{Value, json};

const OPENAI: Vendor = Vendor::OpenAi;

#[tokio::test]
async fn stream_has_the_documented_chunks() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::answer(["Good ", "évening."]));
    let response = ask(&provider, OPENAI, "hello", true).await;
    assert!(response.headers().contains_key("x-request-id"));
    let events = events(response).await;

    let (done, chunks) = events.split_last().expect("events");
    assert_eq!(done, &(None, "[DONE]".to_owned()));
    let chunks: Vec<Value> = chunks.iter().map(json_of).collect();
    let choice =
        |delta: Value, reason: Value| json!([{"index": 0, "delta": delta, "logprobs": null, "finish_reason": reason}]);
    let choices: Vec<Value> = chunks.iter().map(|chunk| chunk["choices"].clone()).collect();
    let expected = [
        choice(json!({"role": "assistant", "content": "", "refusal": null}), Value::Null),
        choice(json!({"content": "Good "}), Value::Null),
        choice(json!({"content": "évening."}), Value::Null),
        choice(json!({}), json!("stop")),
    ];
    assert_eq!(choices, expected);
    for chunk in &chunks {
        assert_eq!(chunk["object"], "chat.completion.chunk");
        assert_eq!(chunk["id"], chunks[0]["id"]);
        assert_eq!(chunk["model"], "gpt-4o-mini");
        assert!(chunk["created"].is_u64());
        assert_eq!(chunk.get("usage"), None, "usage was not asked for");
    }
}

#[tokio::test]
async fn usage_comes_in_a_last_chunk_without_choices_when_asked_for() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::answer(["12345678"]));
    let mut body = body(OPENAI, "hello", true);
    body["stream_options"] = json!({"include_usage": true});
    let events = events(send(&provider, OPENAI, super::KEY, &body).await).await;

    let chunks: Vec<Value> = events[..events.len() - 1].iter().map(json_of).collect();
    let (last, before) = chunks.split_last().expect("chunks");
    assert!(before.iter().all(|chunk| chunk.get("usage") == Some(&Value::Null)));
    assert_eq!(last["choices"], json!([]));
    let usage = &last["usage"];
    assert_eq!(usage["completion_tokens"], 2);
    let [prompt, total] = ["prompt_tokens", "total_tokens"].map(|key| usage[key].as_u64());
    assert_eq!(total, prompt.map(|prompt| prompt + 2));
}

#[tokio::test]
async fn whole_answer_is_a_chat_completion() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::answer(["Good ", "evening."]));
    let answer = whole(ask(&provider, OPENAI, "hello", false).await).await;
    assert_eq!(answer["object"], "chat.completion");
    let choice = &answer["choices"][0];
    assert_eq!(choice["finish_reason"], "stop");
    let message = json!({"role": "assistant", "content": "Good evening.", "refusal": null, "annotations": []});
    assert_eq!(choice["message"], message);
    assert_eq!(answer["usage"]["completion_tokens"], 4);
}

#[tokio::test]
async fn tool_calls_arrive_in_pieces_and_their_result_is_answered() {
    let provider = ScriptedProvider::start().await;
    let arguments = json!({"content": "Léa likes tea"});
    provider.push(Script::tool_call("memorize", arguments.clone()));
    let events_seen = events(ask(&provider, OPENAI, "hello", true).await).await;
    let chunks: Vec<Value> = events_seen[..events_seen.len() - 1].iter().map(json_of).collect();
    let calls: Vec<&Value> = chunks
        .iter()
        .map(|chunk| &chunk["choices"][0]["delta"]["tool_calls"][0])
        .filter(|call| !call.is_null())
        .collect();
    assert_eq!(calls[0]["type"], "function");
    assert_eq!(calls[0]["function"]["name"], "memorize");
    let joined: String = calls.iter().filter_map(|call| call["function"]["arguments"].as_str()).collect();
    assert_eq!(serde_json::from_str::<Value>(&joined).expect("joined arguments"), arguments);
    assert_eq!(chunks.last().expect("chunks")["choices"][0]["finish_reason"], "tool_calls");

    provider.push(Script::tool_call("memorize", arguments.clone()));
    let answer = whole(ask(&provider, OPENAI, "hello", false).await).await;
    let call = &answer["choices"][0]["message"]["tool_calls"][0];
    assert_eq!(answer["choices"][0]["message"]["content"], Value::Null);
    assert_eq!(answer["choices"][0]["finish_reason"], "tool_calls");

    let mut next = body(OPENAI, "[tool memorize]", true);
    let messages = next["messages"].as_array_mut().expect("messages");
    messages.push(answer["choices"][0]["message"].clone());
    messages.push(json!({"role": "tool", "tool_call_id": call["id"], "content": "saved"}));
    let answered = events(send(&provider, OPENAI, super::KEY, &next).await).await;
    assert_eq!(said(&answered), "The tool answered: saved");
}

#[tokio::test]
async fn models_are_listed_for_the_right_key_only() {
    let provider = ScriptedProvider::start().await;
    let url = format!("{}/v1/models", provider.url());
    let list = |key| reqwest::Client::new().get(&url).bearer_auth(key).send();
    let models = whole(list(super::KEY).await.expect("an answer")).await;
    assert_eq!(models["object"], "list");
    let data = models["data"].as_array().expect("data").iter();
    let ids: Vec<&str> = data.filter_map(|model| model["id"].as_str()).collect();
    assert_eq!(ids, OPENAI_MODELS);
    assert_eq!(models["data"][0]["object"], "model");

    let refused = list("other").await.expect("an answer");
    assert_eq!(refused.status(), 401);
    assert_eq!(whole(refused).await["error"]["code"], "invalid_api_key");
    let none = reqwest::get(&url).await.expect("an answer");
    assert_eq!(none.status(), 401);
    assert_eq!(whole(none).await["error"]["code"], Value::Null);
    assert_eq!(provider.requests().len(), 0, "listings are not recorded");
}

#[tokio::test]
async fn content_in_parts_is_understood() {
    let provider = ScriptedProvider::start().await;
    let mut request = body(OPENAI, "", true);
    request["messages"][0]["content"] = json!([
        {"type": "text", "text": "what is this?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}},
    ]);
    let events = events(send(&provider, OPENAI, super::KEY, &request).await).await;
    let said = said(&events);
    assert!(said.starts_with("You said: what is this?\n\n- "), "{said}");
    assert!(said.contains("\n```rust\n"), "{said}");
}
