//! Gemini's pictures: Imagen draws only, the others draw while they talk.

use super::super::image::{DRAW_TIMEOUT, DrawRequest, ImageProvider, MAX_DRAWN_BYTES, Picture};
use super::super::openai::malformed;
use super::Gemini;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
use shared::{Failure, FailureKind};

impl ImageProvider for Gemini {
    fn draw(&self, request: DrawRequest) -> BoxFuture<'_, Result<Picture, Failure>> {
        async move {
            if request.model.starts_with("imagen") {
                let body = json!({"instances": [{"prompt": request.prompt}], "parameters": {"sampleCount": 1}});
                let call = self.call(&request.model, "predict", &body)?;
                let answer = self.0.whole_within(call, DRAW_TIMEOUT, MAX_DRAWN_BYTES).await?;
                let drawn = &answer["predictions"][0];
                return Picture::read(&drawn["bytesBase64Encoded"], &drawn["mimeType"]);
            }
            let body = json!({
                "contents": [{"role": "user", "parts": [{"text": request.prompt}]}],
                "generationConfig": {"responseModalities": ["TEXT", "IMAGE"]},
            });
            let call = self.call(&request.model, "generateContent", &body)?;
            let answer = self.0.whole_within(call, DRAW_TIMEOUT, MAX_DRAWN_BYTES).await?;
            if answer["promptFeedback"]["blockReason"].is_string() {
                return Err(Failure::with_detail(FailureKind::Refused, "the provider declined to draw this"));
            }
            let parts = answer["candidates"][0]["content"]["parts"].as_array();
            let drawn = parts.into_iter().flatten().map(|part| &part["inlineData"]).find(|data| data.is_object());
            let drawn = drawn.ok_or_else(|| malformed("the answer holds no picture"))?;
            Picture::read(&drawn["data"], &drawn["mimeType"])
        }
        .boxed()
    }
}
