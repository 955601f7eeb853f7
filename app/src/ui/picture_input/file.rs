//! Making a large picture small before it is sent: a photo of 12 MB becomes 200 kB, and its place and time stay here.

use crate::api::pictures::PICTURE_TYPES;
use crate::i18n::Phrase;
use crate::phrase;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, CanvasRenderingContext2d, File, HtmlCanvasElement, ImageBitmap};

/// Longest side that is sent as it is.
const MAX_SIDE: u32 = 1024;
/// A file of this size is sent as it is, if its sides allow.
const SMALL_BYTES: f64 = 1_000_000.0;
/// The server's limit.
const MAX_BYTES: f64 = 8_000_000.0;

/// The picture as it is sent: the file itself, or a smaller picture of it where it is large or of another format that
/// this browser knows. One that this browser cannot read is left to the server to judge, unless there is none to ask.
pub async fn shrink(file: &File, is_alone: bool) -> Result<Blob, Phrase> {
    let is_taken = PICTURE_TYPES.contains(&file.type_().as_str());
    let Some(bitmap) = decode(file).await else {
        // The server knows better what is wrong with it, if it is a picture at all.
        return match (is_taken, file.size() <= MAX_BYTES) {
            (true, true) if is_alone => Err(phrase!("problem-picture-unreadable")),
            (true, true) => Ok(file.clone().into()),
            (true, false) => Err(phrase!("problem-picture-too-large")),
            (false, _) => Err(phrase!("problem-picture-type-unsupported")),
        };
    };
    let longest = bitmap.width().max(bitmap.height());
    if is_taken && longest <= MAX_SIDE && file.size() <= SMALL_BYTES {
        return Ok(file.clone().into());
    }
    let small = redraw(&bitmap, f64::from(MAX_SIDE) / f64::from(longest.max(MAX_SIDE))).await;
    bitmap.close();
    small.ok_or(phrase!("problem-picture-unreadable"))
}

async fn decode(file: &File) -> Option<ImageBitmap> {
    let promise = web_sys::window()?.create_image_bitmap_with_blob(file).ok()?;
    JsFuture::from(promise).await.ok()?.dyn_into().ok()
}

/// A picture of the picture, upright as its camera meant it.
async fn redraw(bitmap: &ImageBitmap, scale: f64) -> Option<Blob> {
    let side = |length: u32| (f64::from(length) * scale).round().max(1.0);
    let (width, height) = (side(bitmap.width()), side(bitmap.height()));
    let canvas = web_sys::window()?.document()?.create_element("canvas").ok()?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().ok()?;
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
    js_sys::Reflect::set(&context, &"imageSmoothingQuality".into(), &"high".into()).ok();
    context.draw_image_with_image_bitmap_and_dw_and_dh(bitmap, 0.0, 0.0, width, height).ok()?;
    let drawn = js_sys::Promise::new(&mut |resolve, reject| {
        let done = Closure::once_into_js(move |blob: JsValue| resolve.call1(&JsValue::NULL, &blob).map(drop));
        // Browsers that cannot write WebP write PNG.
        let asked =
            canvas.to_blob_with_type_and_encoder_options(done.unchecked_ref(), "image/webp", &JsValue::from_f64(0.9));
        if asked.is_err() {
            reject.call0(&JsValue::NULL).ok();
        }
    });
    JsFuture::from(drawn).await.ok()?.dyn_into().ok()
}
