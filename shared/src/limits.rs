//! Sizes and times that client and server agree on. One place, so that both refuse the same thing.

/// A frame of the sync protocol, whole.
pub const MAX_FRAME_BYTES: usize = 256 * 1024;
/// Nesting of CBOR items in a frame from a client.
pub const MAX_FRAME_DEPTH: usize = 16;
/// The text of one message.
pub const MAX_MESSAGE_BYTES: usize = 64 * 1024;
/// A Kin's character or expertise.
pub const MAX_KIN_TEXT_BYTES: usize = 32 * 1024;
/// A name: Kin, member, provider.
pub const MAX_NAME_CHARS: usize = 60;
/// A Kin's role, in one line.
pub const MAX_ROLE_CHARS: usize = 120;
/// Splices of one text edit.
pub const MAX_SPLICES: usize = 64;
/// Dependencies of one change; a client merges what it has, so more heads than this are a fault.
pub const MAX_DEPS: usize = 64;
/// Value of a preference.
pub const MAX_PREFERENCE_BYTES: usize = 256;
/// A reaction: the longest emoji, a family of four with skin tones, has 41 bytes and is left out.
pub const MAX_EMOJI_BYTES: usize = 32;
/// A draft that follows its member; a longer one stays on its device.
pub const MAX_DRAFT_BYTES: usize = 16 * 1024;
/// How a pinned message begins.
pub const MAX_EXCERPT_BYTES: usize = 512;
/// A chapter closes at this many messages …
pub const CHAPTER_MESSAGES: u64 = 200;
/// … or at this many bytes of changes.
pub const CHAPTER_BYTES: u64 = 128 * 1024;
/// A document that members write directly (`kin`, `me`) is written anew past this size …
pub const REWRITE_BYTES: u64 = 1024 * 1024;
/// … when it has this many changes: with fewer there is no history to drop.
pub const REWRITE_CHANGES: u64 = 64;
/// A document that members write directly (`kin`, `me`) takes no more member changes past this size.
pub const MAX_MEMBER_DOCUMENT_BYTES: u64 = 8 * 1024 * 1024;
/// A `me` document takes no more drafts past this size: what is left is for markers, pins and preferences, which are
/// a hundred times smaller.
pub const MAX_DRAFTS_DOCUMENT_BYTES: u64 = 4 * 1024 * 1024;
/// Longest time without a byte from a model before the call counts as hung.
pub const MODEL_IDLE_MS: i64 = 120_000;
/// Longest life of a turn.
pub const TURN_MS: i64 = 30 * 60_000;
