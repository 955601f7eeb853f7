//! The text of a running answer.

use shared::limits::MAX_MESSAGE_BYTES;

/// Stands at the end of an answer that was longer than a message may be.
const CUT: &str = "\n\n[…]";
/// What an answer may grow to before it is cut.
const ROOM: usize = MAX_MESSAGE_BYTES - CUT.len();

/// What has come so far.
///
/// A new attempt makes the text of the one before void, but only once it says something itself: a turn that fails
/// keeps the last text there was.
#[derive(Debug, Default)]
pub(super) struct AnswerText {
    text: String,
    /// The text is of an attempt before.
    old: bool,
}

impl AnswerText {
    /// The text a restart finds.
    pub(super) fn of_before(text: String) -> Self {
        Self { text, old: true }
    }

    pub(super) fn begin_attempt(&mut self) {
        self.old = true;
    }

    /// Appends a piece. Gives the part that was taken, and whether there is room for more.
    pub(super) fn push<'a>(&mut self, piece: &'a str) -> (&'a str, bool) {
        if std::mem::take(&mut self.old) {
            self.text.clear();
        }
        let room = ROOM.saturating_sub(self.text.len());
        if piece.len() <= room {
            self.text.push_str(piece);
            return (piece, true);
        }
        let taken = &piece[..piece.floor_char_boundary(room)];
        self.text.push_str(taken);
        self.text.push_str(CUT);
        (taken, false)
    }

    /// Marks a text that the model did not finish.
    pub(super) fn mark_cut(&mut self) {
        self.text.push_str(CUT);
    }

    /// Whether the running attempt has said nothing that a person could read.
    pub(super) fn is_blank(&self) -> bool {
        self.old || self.text.trim().is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_attempt_replaces_the_text_when_it_speaks() {
        let mut text = AnswerText::default();
        assert!(text.is_blank());
        assert_eq!(text.push("one"), ("one", true));
        text.begin_attempt();
        assert_eq!((text.as_str(), text.is_blank()), ("one", true));
        text.push("two");
        assert_eq!((text.as_str(), text.is_blank()), ("two", false));
        let mut restored = AnswerText::of_before("before".into());
        assert_eq!(restored.as_str(), "before");
        restored.push(" ");
        assert!(restored.is_blank());
    }

    #[test]
    fn what_does_not_fit_a_message_is_cut_between_characters_and_marked() {
        let mut text = AnswerText::default();
        let whole = "é".repeat(ROOM / 2);
        assert_eq!(text.push(&whole), (whole.as_str(), true));
        let room = ROOM - text.len();
        assert_eq!(text.push("éé"), (&"éé"[..room / 2 * 2], false));
        assert!(text.len() <= MAX_MESSAGE_BYTES);
        assert!(text.as_str().ends_with("é\n\n[…]"));
    }
}
