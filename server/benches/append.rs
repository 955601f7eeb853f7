//! The append path: CPU of the writer's thread per admitted message, as a thread of messages grows.
//!
//! `cargo bench -p server --bench append`. Prints a table; nothing is asserted, see docs/performance.md.
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a bench prints and stops when it cannot go on")]

use server::app_state::AppState;
use server::clock;
use server::data_folder::DataFolder;
use server::db::DbError;
use server::hub::HubError;
use server::settings::{SettingFlags, Settings};
use shared::{DeviceId, DocumentId, DocumentKind, KinId, MemberId, MessageId, Operation, Role, SessionId, Viewer};
use std::time::Instant;
use sync::document::Document;
use sync::hub::{NewMessage, Pushed};

/// CPU time of the database's thread so far, in milliseconds.
fn writer_cpu_ms() -> f64 {
    for task in std::fs::read_dir("/proc/self/task").unwrap() {
        let path = task.unwrap().path();
        if std::fs::read_to_string(path.join("comm")).unwrap_or_default().trim() == "db-writer" {
            // Nanoseconds on the processor are the first field.
            let schedstat = std::fs::read_to_string(path.join("schedstat")).unwrap_or_default();
            let ns: f64 = schedstat.split(' ').next().and_then(|field| field.parse().ok()).unwrap_or(0.0);
            return ns / 1e6;
        }
    }
    0.0
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let lock = DataFolder::open(&folder.path().join("data")).unwrap();
    let settings = Settings::resolve(&SettingFlags::default(), |_| None).unwrap();
    let state = AppState::open(settings, &lock).unwrap();
    let viewer = Viewer { member: clock::fresh::<MemberId>(), role: Role::Admin };
    let (kin, session, device) = (clock::fresh::<KinId>(), clock::fresh::<SessionId>(), clock::fresh::<DeviceId>());
    let setup = format!(
        "insert into member values ('{member}', 'a@b.c', 'A', 'B', 'A', '', 'en', 'admin', '', 0, null);
         insert into kin values ('{kin}', 'k', 'K', '', '', '', '', '', null, null, 1, '{member}', 0, null);
         insert into session values ('{session}', '{kin}', 'household', 'household', 1, 1, 0);",
        member = viewer.member
    );
    let write = state.hub.write(move |w| {
        w.tx().execute_batch(&setup).map_err(DbError::from)?;
        w.create_kin_documents(kin, session, "", "")
    });
    write.await.unwrap();

    println!("| messages in the thread | writer CPU per message | wall per message (own commit each) |");
    println!("| --- | --- | --- |");
    let text = "A message as people write them, some four hundred characters long. ".repeat(6);
    let mut count = 0_u32;
    for target in [1_000_u32, 5_000, 10_000] {
        while count < target - 300 {
            append_group(&state, viewer, session, &text, 100).await;
            count += 100;
        }
        let (cpu, begun) = (writer_cpu_ms(), Instant::now());
        for _ in 0..300 {
            append_group(&state, viewer, session, &text, 1).await;
        }
        count += 300;
        let (cpu, wall) = (writer_cpu_ms() - cpu, begun.elapsed().as_secs_f64() * 1e3);
        println!("| {target} | {:.3} ms | {:.3} ms |", cpu / 300.0, wall / 300.0);
    }

    // Pushed changes: check, rebuild, hash, log. The client's own work is not counted: it runs on this thread.
    let (mut chapter, mut number) = (Document::new(DocumentKind::Chapter).unwrap(), 0);
    let (mut cpu, mut pushed) = (0.0, 0);
    let actor = shared::ActorId(clock::random());
    while pushed < 150 {
        let current = state.db.read(move |c| {
            let sql = "select chapter from session where id = ?1";
            Ok::<u32, DbError>(c.query_row(sql, [session.to_string()], |row| row.get(0))?)
        });
        let current = current.await.unwrap();
        let id = DocumentId::Chapter(session, current);
        if current != number {
            number = current;
            let bytes = state.db.read(move |c| {
                let sql = "select bytes from change where document_id = ?1 order by position";
                let mut statement = c.prepare(sql)?;
                let rows =
                    statement.query_map([id.to_string()], |row| row.get(0))?.collect::<Result<Vec<Vec<u8>>, _>>()?;
                Ok::<_, DbError>(rows)
            });
            let bytes = bytes.await.unwrap();
            chapter = Document::open(DocumentKind::Chapter, bytes.iter().map(Vec::as_slice)).unwrap();
        }
        let message = clock::fresh::<MessageId>();
        let operation = Operation::AddMessage { message, text: text.clone(), sent_at: clock::now(), reply_to: None };
        let (_, header) = chapter.perform(viewer.member, &operation, actor, clock::now()).unwrap();
        let before = writer_cpu_ms();
        let push = state.hub.write(move |w| w.push(viewer, device, id, 1, &operation, &header));
        let outcome: Result<Pushed, HubError> = push.await;
        assert_eq!(outcome.unwrap(), Pushed::Accepted);
        cpu += writer_cpu_ms() - before;
        pushed += 1;
    }
    println!("| 10,000, pushed by a replica | {:.3} ms | |", cpu / f64::from(pushed));
}

async fn append_group(state: &AppState, viewer: Viewer, session: SessionId, text: &str, size: u32) {
    let text = text.to_owned();
    let write = state.hub.write(move |w| {
        for _ in 0..size {
            let new = NewMessage { id: clock::fresh(), text: &text, sent_at: w.now(), reply_to: None };
            w.admit_member_message(viewer, session, &new)?;
        }
        Ok::<_, HubError>(())
    });
    write.await.unwrap();
}
