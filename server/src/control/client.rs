//! The command line's end of the socket.

use super::{Answer, MAX_LINE_BYTES, Request, socket_path::SocketPath};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

/// Asks the server that listens at `path`.
///
/// # Errors
/// What the socket says; [`io::ErrorKind::NotFound`] and [`io::ErrorKind::ConnectionRefused`] when nobody listens.
pub fn ask(path: &Path, request: &Request) -> io::Result<Answer> {
    let short = SocketPath::of(path)?;
    let mut stream = UnixStream::connect(short.as_path())?;
    stream.set_read_timeout(Some(Duration::from_secs(30)))?;
    let mut line = serde_json::to_vec(request).map_err(io::Error::other)?;
    line.push(b'\n');
    stream.write_all(&line)?;
    let mut answer = String::new();
    BufReader::new(stream.take(MAX_LINE_BYTES)).read_line(&mut answer)?;
    serde_json::from_str(&answer).map_err(io::Error::other)
}

/// Whether a server listens at `path`.
pub fn is_answered(path: &Path) -> bool {
    SocketPath::of(path).and_then(|short| UnixStream::connect(short.as_path())).is_ok()
}
