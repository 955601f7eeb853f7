//! Commands: asked for once, sent until answered.

use super::{Output, Replica};
use shared::frame::{ClientFrame, Command};
use shared::{CommandId, MessageId};

impl Replica {
    /// Sends a command, or says that it needs the server. It is sent again under the same id after a reconnect.
    pub(super) fn command(&mut self, command: Command, message: Option<MessageId>) {
        if !self.connected {
            return self.problem("offline", message);
        }
        let random = self.random_10();
        let id = CommandId::new(self.now, random);
        self.commands.insert(id, (command.clone(), message));
        self.out.push(Output::Send(ClientFrame::Command { id, command }));
    }
}
