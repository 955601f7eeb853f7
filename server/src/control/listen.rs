//! The server's end of the socket.

use super::{Answer, MAX_LINE_BYTES, Request, execute, socket_path::SocketPath};
use crate::app_state::AppState;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio_util::sync::CancellationToken;

/// Time for one exchange; hashing a password is the slowest part.
const EXCHANGE: Duration = Duration::from_secs(30);

/// Binds the socket, for this user alone. The caller holds the data folder's lock, so a socket there is a leftover.
///
/// # Errors
/// What the file system says.
fn bind(path: &Path) -> io::Result<UnixListener> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => {}
    }
    let short = SocketPath::of(path)?;
    let listener = UnixListener::bind(short.as_path())?;
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    Ok(listener)
}

/// Takes commands until the server stops.
///
/// # Errors
/// When the socket cannot be bound.
pub fn listen(state: AppState, path: &Path) -> io::Result<()> {
    let listener = bind(path)?;
    let supervisor = state.supervisor.clone();
    let path = path.to_owned();
    supervisor.spawn("control", |stop: CancellationToken| async move {
        loop {
            let stream = tokio::select! {
                () = stop.cancelled() => break,
                accepted = listener.accept() => match accepted {
                    Ok((stream, _)) => stream,
                    Err(error) => {
                        tracing::warn!(error = %error, "control socket could not accept");
                        tokio::time::sleep(Duration::from_secs(1)).await;
                        continue;
                    }
                },
            };
            // One at a time: whoever sits at the machine types slower than this.
            match tokio::time::timeout(EXCHANGE, exchange(&state, stream)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => tracing::debug!(error = %error, "control connection broke off"),
                Err(_) => tracing::debug!("control connection timed out"),
            }
        }
        let _ = std::fs::remove_file(&path);
        Ok(())
    });
    Ok(())
}

async fn exchange(state: &AppState, stream: UnixStream) -> io::Result<()> {
    let (reading, mut writing) = stream.into_split();
    let mut line = String::new();
    BufReader::new(reading.take(MAX_LINE_BYTES)).read_line(&mut line).await?;
    let answer = match serde_json::from_str::<Request>(&line) {
        Ok(request) => execute(state, request).await,
        Err(_) => Answer::Refused {
            code: "command_unknown".into(),
            detail: "the running server does not know this command; is it another version?".into(),
        },
    };
    let mut answer = serde_json::to_vec(&answer).map_err(io::Error::other)?;
    answer.push(b'\n');
    writing.write_all(&answer).await?;
    writing.shutdown().await
}
