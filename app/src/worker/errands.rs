//! Which requests still wait for their changes to be durable.

use super::message::ClientId;
use std::collections::BTreeMap;

/// Whose request, and its number.
pub type Asked = (ClientId, u64);

/// Requests by the stores they wait for.
#[derive(Debug, Default)]
pub struct Errands {
    by_token: BTreeMap<u64, Asked>,
}

impl Errands {
    /// Begins to wait; `false` when there is nothing to wait for.
    pub fn wait(&mut self, asked: Asked, tokens: &[u64]) -> bool {
        self.by_token.extend(tokens.iter().map(|token| (*token, asked)));
        !tokens.is_empty()
    }

    /// A store has ended, well or badly; gives the request that waits for nothing any more.
    pub fn end(&mut self, token: u64) -> Option<Asked> {
        let asked = self.by_token.remove(&token)?;
        let waits = self.by_token.values().any(|other| *other == asked);
        (!waits).then_some(asked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_done_with_the_last_of_its_stores() {
        let asked = (ClientId(1), 9);
        let mut errands = Errands::default();
        assert!(errands.wait(asked, &[4, 5]));
        assert_eq!(errands.end(5), None);
        assert_eq!(errands.end(3), None);
        assert_eq!(errands.end(4), Some(asked));
    }

    #[test]
    fn a_request_that_stores_nothing_need_not_wait() {
        assert!(!Errands::default().wait((ClientId(1), 9), &[]));
    }
}
