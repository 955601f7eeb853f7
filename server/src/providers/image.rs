//! What an image provider is asked and what it answers, in no vendor's words.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use futures_util::future::BoxFuture;
use serde_json::Value;
use shared::{Failure, FailureKind};
use std::time::Duration;

/// Drawing takes its time.
pub(super) const DRAW_TIMEOUT: Duration = Duration::from_secs(180);
/// A picture in base64 is some megabytes.
pub(super) const MAX_DRAWN_BYTES: usize = 48 * 1024 * 1024;

/// A service that draws.
pub trait ImageProvider: Send + Sync {
    /// Draws one picture, square where the provider lets one choose.
    fn draw(&self, request: DrawRequest) -> BoxFuture<'_, Result<Picture, Failure>>;
}

/// What to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawRequest {
    /// The model, as the provider names it.
    pub model: String,
    /// In words.
    pub prompt: String,
}

/// A picture as it came. Whoever keeps it must check what it really is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// What the provider says that it is.
    pub media_type: String,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Picture {
    /// Reads a picture in base64.
    pub(super) fn read(data: &Value, media_type: &Value) -> Result<Self, Failure> {
        let broken = |what| Failure::with_detail(FailureKind::Malformed, what);
        let data = data.as_str().ok_or_else(|| broken("the answer holds no picture"))?;
        let bytes = STANDARD.decode(data.trim()).map_err(|_| broken("the picture is not in base64"))?;
        if bytes.is_empty() {
            return Err(broken("the picture is empty"));
        }
        Ok(Self { media_type: media_type.as_str().unwrap_or("image/png").to_owned(), bytes })
    }
}
