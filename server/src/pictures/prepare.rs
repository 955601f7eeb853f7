//! From somebody's file to a face.

use super::{Picture, PictureError};
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// Longest side of what is kept, in pixels: the largest face in the design is 220 px wide, on screens of double density.
pub const SIDE: u32 = 512;
/// More is refused before anything is decoded. Phones' own files are up to 24 million.
pub(super) const MAX_PIXELS: u64 = 25_000_000;
const MAX_ALLOC_BYTES: u64 = 256 * 1024 * 1024;
const JPEG_QUALITY: u8 = 88;

/// Decodes a file, turned as its camera meant it, and makes a square of its middle. A moving picture gives its first.
pub(super) fn prepare(file: &[u8]) -> Result<Picture, PictureError> {
    let format = image::guess_format(file).map_err(|_| PictureError::Unreadable)?;
    if !matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP | ImageFormat::Gif) {
        return Err(PictureError::Unreadable);
    }
    // The decoder would paint the missing rest grey.
    if format == ImageFormat::Jpeg && !is_whole_jpeg(file) {
        return Err(PictureError::Unreadable);
    }
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_ALLOC_BYTES);
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(refusal)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > MAX_PIXELS {
        return Err(PictureError::TooManyPixels);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let whole = DynamicImage::from_decoder(decoder).map_err(refusal)?;
    let square = square(&whole, orientation);
    encode(&square).map_err(|_| PictureError::Unreadable)
}

fn refusal(error: ImageError) -> PictureError {
    match error {
        ImageError::Limits(_) => PictureError::TooManyPixels,
        ImageError::Decoding(_)
        | ImageError::Encoding(_)
        | ImageError::Parameter(_)
        | ImageError::Unsupported(_)
        | ImageError::IoError(_) => PictureError::Unreadable,
    }
}

/// The middle, made small if it is large. Turning comes last, when there is little to turn.
fn square(whole: &DynamicImage, orientation: Orientation) -> DynamicImage {
    let (width, height) = (whole.width(), whole.height());
    let side = width.min(height);
    let middle = whole.crop_imm((width - side) / 2, (height - side) / 2, side, side);
    let mut small = if side > SIDE { middle.resize_exact(SIDE, SIDE, FilterType::CatmullRom) } else { middle };
    small.apply_orientation(orientation);
    small
}

/// JPEG, or PNG where something shows through.
fn encode(picture: &DynamicImage) -> Result<Picture, ImageError> {
    let mut bytes = Vec::new();
    let rgba = picture.to_rgba8();
    let media_type = if rgba.pixels().any(|pixel| pixel.0[3] < u8::MAX) {
        rgba.write_with_encoder(PngEncoder::new(&mut bytes))?;
        "image/png"
    } else {
        picture.to_rgb8().write_with_encoder(JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY))?;
        "image/jpeg"
    };
    Ok(Picture { media_type: media_type.to_owned(), bytes })
}

/// Whether a JPEG file goes on to its end mark. Files within it (previews) have end marks of their own, so the headers
/// are walked to where the picture itself begins; in there no other byte pair looks like the mark.
fn is_whole_jpeg(file: &[u8]) -> bool {
    let mut at = 2;
    while let Some(&[0xff, marker, high, low]) = file.get(at..at + 4) {
        at += 2 + usize::from(u16::from_be_bytes([high, low]));
        if marker == 0xda {
            return file.get(at..).is_some_and(|rest| rest.windows(2).any(|pair| pair == [0xff, 0xd9]));
        }
    }
    false
}
