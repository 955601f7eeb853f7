//! OpenAI's images.

use super::super::image::{DRAW_TIMEOUT, DrawRequest, ImageProvider, MAX_DRAWN_BYTES, Picture};
use super::{OpenAi, malformed};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use shared::Failure;

impl ImageProvider for OpenAi {
    fn draw(&self, request: DrawRequest) -> BoxFuture<'_, Result<Picture, Failure>> {
        async move {
            let call = self.endpoint.post("images/generations", self.endpoint.bearer()?, &body(&request))?;
            let answer = self.endpoint.whole_within(call, DRAW_TIMEOUT, MAX_DRAWN_BYTES).await?;
            let first = &answer["data"][0];
            if first["url"].is_string() && first["b64_json"].is_null() {
                // An address that a provider names is not ours to fetch.
                return Err(malformed("the picture came as an address instead of a file"));
            }
            Picture::read(&first["b64_json"], &Value::Null)
        }
        .boxed()
    }
}

fn body(request: &DrawRequest) -> Value {
    let mut body = json!({"model": request.model, "prompt": request.prompt, "n": 1, "size": "1024x1024"});
    // OpenAI's newer models give files only, and refuse to be asked for them.
    if !request.model.starts_with("gpt-image") {
        body["response_format"] = "b64_json".into();
    }
    body
}
