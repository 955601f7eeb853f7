//! Server-sent events, read as the bytes come.
//!
//! After the WHATWG's "event stream interpretation". Lines are cut on bytes and decoded when whole, so a character or a
//! line end that is split between two network reads makes no difference.

/// The most bytes one event may have; models send a few hundred.
const MAX_EVENT_BYTES: usize = 1024 * 1024;

/// One event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SseEvent {
    /// The `event` field; empty when there was none.
    pub(super) name: String,
    /// The `data` fields, joined by line feeds.
    pub(super) data: String,
}

/// Bytes that are no event stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum SseError {
    /// A line that is not UTF-8.
    #[error("the stream holds bytes that are not text")]
    NotText,
    /// An event over [`MAX_EVENT_BYTES`].
    #[error("the stream holds an event of more than a megabyte")]
    TooLarge,
}

/// Holds what has come of an event that is not whole yet.
#[derive(Debug, Default)]
pub(super) struct SseParser {
    line: Vec<u8>,
    name: String,
    data: Option<String>,
    /// The last byte was a carriage return, whose line feed may be still to come.
    after_cr: bool,
    /// The first line has been seen, where a byte order mark may stand.
    begun: bool,
}

impl SseParser {
    /// Takes bytes and appends the events they complete.
    ///
    /// # Errors
    /// See [`SseError`]; events before the fault have been appended.
    pub(super) fn feed(&mut self, bytes: &[u8], events: &mut Vec<SseEvent>) -> Result<(), SseError> {
        let mut rest = bytes;
        while !rest.is_empty() {
            if std::mem::take(&mut self.after_cr) && rest[0] == b'\n' {
                rest = &rest[1..];
                continue;
            }
            let end = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n'));
            self.line.extend_from_slice(&rest[..end.unwrap_or(rest.len())]);
            if self.line.len() + self.data.as_ref().map_or(0, String::len) > MAX_EVENT_BYTES {
                return Err(SseError::TooLarge);
            }
            let Some(end) = end else { return Ok(()) };
            self.after_cr = rest[end] == b'\r';
            rest = &rest[end + 1..];
            let line = std::mem::take(&mut self.line);
            events.extend(self.take_line(&line)?);
            // The buffer is used again.
            self.line = line;
            self.line.clear();
        }
        Ok(())
    }

    /// What stands in an event whose closing blank line never came. The standard drops it; some servers leave the
    /// blank line away at the very end.
    pub(super) fn finish(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        self.take_line(&line).ok()?;
        self.take_line(b"").ok()?
    }

    fn take_line(&mut self, line: &[u8]) -> Result<Option<SseEvent>, SseError> {
        let line = std::str::from_utf8(line).map_err(|_| SseError::NotText)?;
        let line = if std::mem::replace(&mut self.begun, true) { line } else { line.trim_start_matches('\u{feff}') };
        if line.is_empty() {
            let name = std::mem::take(&mut self.name);
            return Ok(self.data.take().map(|data| SseEvent { name, data }));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => self.name = value.to_owned(),
            "data" => match &mut self.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                None => self.data = Some(value.to_owned()),
            },
            // A comment has an empty field name; `id` and `retry` mean nothing to a chat.
            _ => {}
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn event(name: &str, data: &str) -> SseEvent {
        SseEvent { name: name.into(), data: data.into() }
    }

    fn parse(pieces: &[&[u8]]) -> (Vec<SseEvent>, Result<(), SseError>) {
        let mut parser = SseParser::default();
        let mut events = Vec::new();
        for piece in pieces {
            if let Err(error) = parser.feed(piece, &mut events) {
                return (events, Err(error));
            }
        }
        (events, Ok(()))
    }

    #[test]
    fn fields_comments_and_line_ends_are_read_as_the_standard_says() {
        let stream = "\u{feff}: hello\n\nevent: a\ndata: 1\ndata:2\nid: 7\n\ndata:  two spaces\r\n\r\ndata\r\revent: lost\n\ndata: é\n\n";
        let expected = [event("a", "1\n2"), event("", " two spaces"), event("", ""), event("", "é")];
        assert_eq!(parse(&[stream.as_bytes()]), (expected.to_vec(), Ok(())));
    }

    #[test]
    fn an_event_that_was_not_closed_is_given_at_the_end_only() {
        let mut parser = SseParser::default();
        let mut events = Vec::new();
        parser.feed(b"data: 1\n\ndata: [DONE]", &mut events).expect("reads");
        assert_eq!(events, [event("", "1")]);
        assert_eq!(parser.finish(), Some(event("", "[DONE]")));
        assert_eq!(parser.finish(), None);
    }

    #[test]
    fn what_is_no_text_or_has_no_end_is_refused() {
        let (events, result) = parse(&[b"data: 1\n\n", b"data: \xff\n\n"]);
        assert_eq!((events, result), (vec![event("", "1")], Err(SseError::NotText)));
        let line = vec![b'x'; MAX_EVENT_BYTES / 2 + 1];
        assert_eq!(parse(&[&line, &line]).1, Err(SseError::TooLarge));
        let data = [b"data: ".as_slice(), &line, b"\n"].concat();
        assert_eq!(parse(&[&data, &data]).1, Err(SseError::TooLarge));
    }

    fn any_line() -> impl Strategy<Value = String> {
        prop_oneof![
            Just(String::new()),
            Just("event: delta".to_owned()),
            Just(": ping".to_owned()),
            "data: ?[a-zé👩‍👧: ]{0,12}",
            "[a-z]{0,4}:?[ é]{0,2}",
        ]
    }

    proptest! {
        #[test]
        fn any_chunking_gives_the_same_events(
            lines in proptest::collection::vec((any_line(), 0..3_usize), 0..30),
            cuts in proptest::collection::vec(any::<proptest::sample::Index>(), 0..40),
        ) {
            let ends = ["\n", "\r\n", "\r"];
            let stream: String = lines.iter().map(|(line, end)| format!("{line}{}", ends[*end])).collect();
            let bytes = stream.as_bytes();
            let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
            at.extend([0, bytes.len()]);
            at.sort_unstable();
            let pieces: Vec<&[u8]> = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
            prop_assert_eq!(parse(&pieces), parse(&[bytes]));
        }

        #[test]
        fn random_bytes_never_panic(pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..50), 0..10)) {
            let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
            let _ = parse(&pieces);
        }
    }
}
