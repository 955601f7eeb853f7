use super::super::{ANTHROPIC_MODELS, KEY, Script, ScriptedProvider, Vendor};
use super::{ask, body, events, json_of, said, send, whole};
use serde_json::{Value, json};

const ANTHROPIC: Vendor = Vendor::Anthropic;

#[tokio::test]
async fn stream_has_the_documented_events() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::answer(["Good ", "évening."]));
    let response = ask(&provider, ANTHROPIC, "hello", true).await;
    assert!(response.headers().contains_key("request-id"));
    let events = events(response).await;

    let names: Vec<&str> = events.iter().filter_map(|(name, _)| name.as_deref()).collect();
    let payloads: Vec<Value> = events.iter().map(json_of).collect();
    let types: Vec<&str> = payloads.iter().filter_map(|payload| payload["type"].as_str()).collect();
    let expected = [
        "message_start",
        "content_block_start",
        "ping",
        "content_block_delta",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
    ];
    assert_eq!(names, expected);
    assert_eq!(types, expected);

    let message = &payloads[0]["message"];
    assert_eq!(message["type"], "message");
    assert_eq!(message["role"], "assistant");
    assert_eq!(message["content"], json!([]));
    assert_eq!(message["stop_reason"], Value::Null);
    assert!(message["usage"]["input_tokens"].as_u64() > Some(0));
    let block = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}});
    assert_eq!(payloads[1], block);
    let delta = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "évening."}});
    assert_eq!(payloads[4], delta);
    let end = json!({
        "type": "message_delta",
        "delta": {"stop_reason": "end_turn", "stop_sequence": null},
        "usage": {"output_tokens": 4},
    });
    assert_eq!(payloads[6], end);
}

#[tokio::test]
async fn whole_answer_is_a_message() {
    let provider = ScriptedProvider::start().await;
    provider.push(Script::answer(["Good ", "evening."]));
    let answer = whole(ask(&provider, ANTHROPIC, "hello", false).await).await;
    assert_eq!(answer["type"], "message");
    assert_eq!(answer["content"], json!([{"type": "text", "text": "Good evening."}]));
    assert_eq!(answer["stop_reason"], "end_turn");
    assert_eq!(answer["usage"]["output_tokens"], 4);
}

#[tokio::test]
async fn text_then_tool_use_are_two_blocks_and_the_result_is_answered() {
    let provider = ScriptedProvider::start().await;
    let arguments = json!({"content": "Léa likes tea"});
    let call = super::super::ToolCall { name: "memorize".to_owned(), arguments: arguments.clone() };
    provider.push(Script::ToolCalls { text: "Noted.".to_owned(), calls: vec![call] });
    let payloads: Vec<Value> =
        events(ask(&provider, ANTHROPIC, "hello", true).await).await.iter().map(json_of).collect();

    let of_type = |kind: &str| payloads.iter().filter(|payload| payload["type"] == kind).collect::<Vec<_>>();
    let starts = of_type("content_block_start");
    assert_eq!(starts[0]["content_block"]["type"], "text");
    assert_eq!(starts[1]["index"], 1);
    assert_eq!(starts[1]["content_block"]["type"], "tool_use");
    assert_eq!(starts[1]["content_block"]["name"], "memorize");
    assert_eq!(starts[1]["content_block"]["input"], json!({}));
    let stops: Vec<&Value> = of_type("content_block_stop").iter().map(|stop| &stop["index"]).collect();
    assert_eq!(stops, [0, 1]);
    let joined: String =
        of_type("content_block_delta").iter().filter_map(|delta| delta["delta"]["partial_json"].as_str()).collect();
    assert_eq!(serde_json::from_str::<Value>(&joined).expect("joined arguments"), arguments);
    assert_eq!(of_type("message_delta")[0]["delta"]["stop_reason"], "tool_use");

    let mut next = body(ANTHROPIC, "[tool memorize]", true);
    let messages = next["messages"].as_array_mut().expect("messages");
    let id = &starts[1]["content_block"]["id"];
    let used = json!({"type": "tool_use", "id": id, "name": "memorize", "input": arguments});
    messages.push(json!({"role": "assistant", "content": [used]}));
    let result = json!({"type": "tool_result", "tool_use_id": id, "content": [{"type": "text", "text": "saved"}]});
    messages.push(json!({"role": "user", "content": [result]}));
    let answered = events(send(&provider, ANTHROPIC, KEY, &next).await).await;
    assert_eq!(said(&answered), "The tool answered: saved");
}

#[tokio::test]
async fn models_have_the_shape_of_a_page() {
    let provider = ScriptedProvider::start().await;
    let list = |key| {
        let request = reqwest::Client::new().get(format!("{}/v1/models", provider.url()));
        request.header("x-api-key", key).header("anthropic-version", "2023-06-01").send()
    };
    let models = whole(list(KEY).await.expect("an answer")).await;
    assert_eq!(models["has_more"], false);
    assert_eq!(models["first_id"], ANTHROPIC_MODELS[0]);
    assert_eq!(models["data"][0]["type"], "model");
    let data = models["data"].as_array().expect("data").iter();
    let ids: Vec<&str> = data.filter_map(|model| model["id"].as_str()).collect();
    assert_eq!(ids, ANTHROPIC_MODELS);

    let refused = list("other").await.expect("an answer");
    assert_eq!(refused.status(), 401);
    assert_eq!(whole(refused).await["error"]["type"], "authentication_error");
}

#[tokio::test]
async fn what_the_real_service_requires_is_required() {
    let provider = ScriptedProvider::start().await;
    let mut without = body(ANTHROPIC, "hello", true);
    without.as_object_mut().expect("an object").remove("max_tokens");
    let refused = send(&provider, ANTHROPIC, KEY, &without).await;
    assert_eq!(refused.status(), 400);
    assert_eq!(whole(refused).await["error"]["message"], "max_tokens: Field required");

    let request = reqwest::Client::new().post(format!("{}/v1/messages", provider.url()));
    let request = request.header("x-api-key", KEY).json(&body(ANTHROPIC, "hello", true));
    let refused = request.send().await.expect("an answer");
    assert_eq!(refused.status(), 400);
    assert_eq!(whole(refused).await["error"]["message"], "anthropic-version: header is required");
}
