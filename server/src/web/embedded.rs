//! Release: the folder as it was when the binary was built.

use std::borrow::Cow;

pub(super) type Bytes = Cow<'static, [u8]>;

#[derive(rust_embed::Embed)]
#[folder = "../app/dist"]
struct Dist;

pub(super) fn read(path: &str) -> Option<Bytes> {
    Dist::get(path).map(|file| file.data)
}
