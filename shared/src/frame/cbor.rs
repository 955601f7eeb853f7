//! Reads the CBOR our encoder writes: definite lengths, no tags, no floats.
//!
//! ciborium reads all of CBOR from any reader, and the code derived for the frames holds that machinery once per field:
//! 200 kB of the web app. Here whatever does not depend on the type is one function for all of them, and texts are
//! borrowed from the frame.

use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};
use serde::forward_to_deserialize_any;
use std::fmt;

/// Bytes that are not what was asked for. Nobody is told more, so nothing more is kept.
#[derive(Debug)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("malformed")
    }
}

impl std::error::Error for Malformed {}

impl de::Error for Malformed {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }

    fn invalid_type(_: de::Unexpected<'_>, _: &dyn de::Expected) -> Self {
        Self
    }

    fn invalid_value(_: de::Unexpected<'_>, _: &dyn de::Expected) -> Self {
        Self
    }

    fn invalid_length(_: usize, _: &dyn de::Expected) -> Self {
        Self
    }

    fn unknown_variant(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn unknown_field(_: &str, _: &'static [&'static str]) -> Self {
        Self
    }

    fn missing_field(_: &'static str) -> Self {
        Self
    }

    fn duplicate_field(_: &'static str) -> Self {
        Self
    }
}

type Result<T> = std::result::Result<T, Malformed>;

const FALSE: u8 = 0xf4;
const TRUE: u8 = 0xf5;
const NULL: u8 = 0xf6;

/// What an item is, by the three bits it begins with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Positive,
    /// Of `-1 - n`.
    Negative,
    Bytes,
    Text,
    Array,
    Map,
}

/// Reads one value from the front of `rest`.
pub struct Decoder<'de> {
    rest: &'de [u8],
    /// How many more levels may open.
    depth: usize,
}

impl<'de> Decoder<'de> {
    pub const fn new(bytes: &'de [u8], depth: usize) -> Self {
        Self { rest: bytes, depth }
    }

    /// Whether everything has been read.
    pub const fn is_done(&self) -> bool {
        self.rest.is_empty()
    }

    #[inline(never)]
    fn take(&mut self, len: u64) -> Result<&'de [u8]> {
        let len = usize::try_from(len).map_err(|_| Malformed)?;
        let (taken, rest) = self.rest.split_at_checked(len).ok_or(Malformed)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Takes the next byte if it is this one.
    #[inline(never)]
    fn take_if(&mut self, byte: u8) -> bool {
        let is_it = self.rest.first() == Some(&byte);
        if is_it {
            self.rest = &self.rest[1..];
        }
        is_it
    }

    /// The begin of an item: what it is, and its number or length.
    #[inline(never)]
    fn head(&mut self) -> Result<(Kind, u64)> {
        let first = self.take(1)?[0];
        let number = match first & 0x1f {
            short @ 0..=23 => u64::from(short),
            long @ 24..=27 => {
                self.take(1 << (long - 24))?.iter().fold(0, |number, byte| (number << 8) | u64::from(*byte))
            }
            // Reserved, and indefinite lengths.
            _ => return Err(Malformed),
        };
        let kind = match first >> 5 {
            0 => Kind::Positive,
            1 => Kind::Negative,
            2 => Kind::Bytes,
            3 => Kind::Text,
            4 => Kind::Array,
            5 => Kind::Map,
            _ => return Err(Malformed),
        };
        Ok((kind, number))
    }

    /// The number or length of an item that must be of this kind.
    #[inline(never)]
    fn expect(&mut self, kind: Kind) -> Result<u64> {
        let (found, number) = self.head()?;
        if found == kind { Ok(number) } else { Err(Malformed) }
    }

    #[inline(never)]
    fn text(&mut self) -> Result<&'de str> {
        let len = self.expect(Kind::Text)?;
        std::str::from_utf8(self.take(len)?).map_err(|_| Malformed)
    }

    #[inline(never)]
    fn blob(&mut self) -> Result<&'de [u8]> {
        let len = self.expect(Kind::Bytes)?;
        self.take(len)
    }

    /// Opens an array or a map: how many items it has.
    #[inline(never)]
    fn open(&mut self, kind: Kind) -> Result<u64> {
        self.depth = self.depth.checked_sub(1).ok_or(Malformed)?;
        self.expect(kind)
    }

    /// Closes it, which takes all items to be read.
    #[inline(never)]
    fn close(&mut self, left: u64) -> Result<()> {
        self.depth += 1;
        if left == 0 { Ok(()) } else { Err(Malformed) }
    }

    /// Passes over one item, whatever it is.
    fn skip(&mut self) -> Result<()> {
        if self.take_if(NULL) || self.take_if(TRUE) || self.take_if(FALSE) {
            return Ok(());
        }
        let (kind, number) = self.head()?;
        let items = match kind {
            Kind::Positive | Kind::Negative => return Ok(()),
            Kind::Bytes | Kind::Text => return self.take(number).map(drop),
            Kind::Array => number,
            Kind::Map => number.checked_mul(2).ok_or(Malformed)?,
        };
        self.depth = self.depth.checked_sub(1).ok_or(Malformed)?;
        // An item is a byte at least, so this ends with the bytes.
        for _ in 0..items {
            self.skip()?;
        }
        self.close(0)
    }
}

/// Methods that read a number.
macro_rules! numbers {
    ($($name:ident)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            self.deserialize_i128(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for &mut Decoder<'de> {
    type Error = Malformed;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.rest.first().ok_or(Malformed)? {
            &FALSE | &TRUE => self.deserialize_bool(visitor),
            &NULL => self.deserialize_unit(visitor),
            first => match first >> 5 {
                0 | 1 => self.deserialize_i128(visitor),
                2 => self.deserialize_bytes(visitor),
                3 => self.deserialize_str(visitor),
                4 => self.deserialize_seq(visitor),
                5 => self.deserialize_map(visitor),
                _ => Err(Malformed),
            },
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.take_if(TRUE) {
            visitor.visit_bool(true)
        } else if self.take_if(FALSE) {
            visitor.visit_bool(false)
        } else {
            Err(Malformed)
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    /// All numbers come here: CBOR writes each in its shortest form.
    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.head()? {
            (Kind::Positive, number) => visitor.visit_u64(number),
            (Kind::Negative, number) => visitor.visit_i64(!i64::try_from(number).map_err(|_| Malformed)?),
            (Kind::Bytes | Kind::Text | Kind::Array | Kind::Map, _) => Err(Malformed),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(self.text()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(self.blob()?)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.take_if(NULL) { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.take_if(NULL) { visitor.visit_unit() } else { Err(Malformed) }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut items = Items { left: self.open(Kind::Array)?, decoder: self };
        let value = visitor.visit_seq(&mut items)?;
        items.decoder.close(items.left)?;
        Ok(value)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(self, _: &'static str, _: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut items = Items { left: self.open(Kind::Map)?, decoder: self };
        let value = visitor.visit_map(&mut items)?;
        items.decoder.close(items.left)?;
        Ok(value)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    /// A variant without content is its name, one with content is a map of its name to the content.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let has_content = self.rest.first().is_some_and(|first| first >> 5 != 3);
        if !has_content {
            return visitor.visit_enum(Variant { decoder: self, has_content });
        }
        if self.open(Kind::Map)? != 1 {
            return Err(Malformed);
        }
        let value = visitor.visit_enum(Variant { decoder: self, has_content })?;
        self.close(0)?;
        Ok(value)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.skip()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! { f32 f64 char }
}

/// The items of an array or a map.
struct Items<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    left: u64,
}

impl Items<'_, '_> {
    /// Whether there is another item.
    fn next(&mut self) -> bool {
        let more = self.left > 0;
        self.left -= u64::from(more);
        more
    }

    /// Never more than there are bytes, whatever the length says.
    fn hint(&self) -> usize {
        usize::try_from(self.left).map_or(self.decoder.rest.len(), |left| left.min(self.decoder.rest.len()))
    }
}

impl<'de> SeqAccess<'de> for &mut Items<'_, 'de> {
    type Error = Malformed;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>> {
        if self.next() { seed.deserialize(&mut *self.decoder).map(Some) } else { Ok(None) }
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.hint())
    }
}

impl<'de> MapAccess<'de> for &mut Items<'_, 'de> {
    type Error = Malformed;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        if self.next() { seed.deserialize(&mut *self.decoder).map(Some) } else { Ok(None) }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        seed.deserialize(&mut *self.decoder)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.hint())
    }
}

/// A variant whose name is next.
struct Variant<'a, 'de> {
    decoder: &'a mut Decoder<'de>,
    has_content: bool,
}

impl<'a, 'de> EnumAccess<'de> for Variant<'a, 'de> {
    type Error = Malformed;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self)> {
        let name = seed.deserialize(&mut *self.decoder)?;
        Ok((name, self))
    }
}

impl<'de> Variant<'_, 'de> {
    fn content(&mut self) -> Result<&mut Decoder<'de>> {
        if self.has_content { Ok(self.decoder) } else { Err(Malformed) }
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Malformed;

    fn unit_variant(self) -> Result<()> {
        if self.has_content { Err(Malformed) } else { Ok(()) }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value> {
        seed.deserialize(self.content()?)
    }

    fn tuple_variant<V: Visitor<'de>>(mut self, _: usize, visitor: V) -> Result<V::Value> {
        self.content()?.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(mut self, _: &'static [&'static str], visitor: V) -> Result<V::Value> {
        self.content()?.deserialize_map(visitor)
    }
}
