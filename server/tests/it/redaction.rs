//! Words that were taken away are nowhere: not in a page of the database, not in its log, not in what models are told.

use crate::engine_world::{World, texts_of};
use kinstead_tests::scripted::{Script, ScriptedProvider};
use server::clock::fresh;
use server::engine::commands::CommandError;
use server::providers::ProviderKind;
use shared::frame::Command;
use shared::{DocumentId, FailureKind, MessageId, MessageState};
use std::path::Path;
use sync::document::Document;
use sync::log::LogStore;

const KIND: ProviderKind = ProviderKind::Openai;
/// Nothing else in a household says this.
const SECRET: &str = "the gate code is 4471-quince";

fn redact(message: MessageId) -> Command {
    Command::Redact { message }
}

/// The files of the data folder whose bytes hold some words.
fn files_with(folder: &Path, words: &str) -> Vec<String> {
    let files = std::fs::read_dir(folder).expect("is there").map(|entry| entry.expect("reads").path());
    files
        .filter(|path| {
            let bytes = std::fs::read(path).unwrap_or_default();
            bytes.windows(words.len()).any(|part| part == words.as_bytes())
        })
        .map(|path| path.display().to_string())
        .collect()
}

/// Whether any change of any document, opened and unpacked, ever held some words.
async fn any_change_holds(world: &World, words: &'static str) -> bool {
    let entries = world
        .db
        .read(move |conn| {
            let mut log = server::hub::SqliteLog::new(conn);
            let mut query = conn.prepare("select id, generation from document")?;
            let documents: Vec<(String, u32)> =
                query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<rusqlite::Result<_>>()?;
            let mut found = false;
            for (id, generation) in documents {
                let id: DocumentId = id.parse().expect("an id");
                let changes = log.changes(id, generation)?;
                let document = Document::open(id.kind(), changes.iter().map(Vec::as_slice)).expect("opens");
                found |= document.has_held(words);
            }
            Ok::<_, server::db::DbError>(found)
        })
        .await;
    entries.expect("reads")
}

#[tokio::test]
async fn redacted_words_are_in_no_byte_that_is_kept() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::answer([format!("I shall remember that {SECRET}.").as_str()]));
    let asked = world.say(thread, &format!("Remember: {SECRET}")).await;
    let answer = world.answer(asked).await;
    for n in 0..3 {
        provider.push(Script::answer(["Yes."]));
        let other = world.say(thread, &format!("something else, {n}")).await;
        world.answer(other).await;
    }
    assert!(any_change_holds(&world, SECRET).await, "it was there");
    assert!(!files_with(world.folder.path(), SECRET).is_empty(), "also in the files");

    world.command(world.ana, redact(asked)).await.expect("her own");
    world.command(world.ana, redact(answer.id)).await.expect("what she asked for");
    assert_eq!(files_with(world.folder.path(), SECRET), Vec::<String>::new());
    assert!(!any_change_holds(&world, SECRET).await);
    let rows = world.messages().await;
    for id in [asked, answer.id] {
        let row = rows.iter().find(|row| row.id == id).expect("its place stays");
        assert_eq!((row.state, row.text.as_str()), (MessageState::Redacted, ""));
    }
    assert_eq!(rows.len(), 8, "nothing else is lost");

    // What a model is told from now on does not know it, and the thread goes on.
    provider.push(Script::answer(["And on."]));
    let next = world.say(thread, "go on").await;
    world.answer(next).await;
    let texts = texts_of(&provider.requests().last().expect("asked").body);
    assert!(texts.iter().all(|text| !text.contains(SECRET)), "{texts:?}");
    assert_eq!(texts[0], "Ana: something else, 0");
    let world = world.crash().await;
    assert_eq!(files_with(world.folder.path(), SECRET), Vec::<String>::new());
}

#[tokio::test]
async fn only_who_wrote_or_asked_or_keeps_the_keys_takes_words_away_and_not_while_they_are_answered() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    provider.push(Script::gated(["one"]));
    let running = world.say(thread, "first").await;
    world.calling(thread).await;
    let waiting = world.say(thread, "second thoughts").await;
    assert_eq!(world.command(world.ben, redact(running)).await, Err(CommandError::NotYours));
    assert_eq!(world.command(world.ana, redact(fresh())).await, Err(CommandError::NotFound));
    assert_eq!(world.command(world.ana, redact(running)).await, Err(CommandError::StillRunning));
    // One that waits does not come up any more.
    let id = fresh();
    world.command_again(world.ana, id, redact(waiting)).await.expect("hers");
    world.command_again(world.ana, id, redact(waiting)).await.expect("a repeat repeats the answer");
    provider.release(1);
    let answer = world.answer(running).await;
    assert!(world.answers(waiting).await.is_empty());
    assert_eq!(world.command(world.ben, redact(answer.id)).await, Err(CommandError::NotYours));

    provider.push(Script::ModelNotFound);
    let bens = world.say_as(world.ben, thread, "mine").await;
    let failed = world.answer(bens).await;
    assert_eq!(failed.failed(), Some(FailureKind::ModelNotFound));
    world.command(world.ana, redact(bens)).await.expect("she keeps the keys");
    let retry = Command::Retry { session: thread.session, answer: failed.id };
    assert_eq!(world.command(world.ben, retry).await, Err(CommandError::NotRetryable), "nothing is left to answer");
}

#[tokio::test]
async fn an_answer_goes_with_the_tries_before_it() {
    let (provider, world) = (ScriptedProvider::start().await, World::new().await);
    let thread = world.thread(&provider, KIND).await;
    let mut live = world.listen();
    let begun = format!("I recall {SECRET}");
    provider.push(Script::gated([begun.as_str(), " and more"]));
    let asked = world.say(thread, "what was it?").await;
    provider.release(1);
    live.hears(&begun).await;
    let turn = world.calling(thread).await;
    world.command(world.ana, Command::Stop { session: thread.session, turn }).await.expect("stops");
    let stopped = world.answer(asked).await;
    assert_eq!(stopped.text, begun);
    provider.push(Script::answer(["It was a code."]));
    let retry = Command::Retry { session: thread.session, answer: stopped.id };
    world.command(world.ana, retry).await.expect("is tried again");
    let second = crate::engine_world::eventually("the second try", || async {
        world.answers(asked).await.into_iter().find(|row| row.state == MessageState::Done)
    });
    let second = second.await;
    assert!(any_change_holds(&world, SECRET).await, "the first try is still kept");
    world.command(world.ana, redact(second.id)).await.expect("hers");
    assert!(!any_change_holds(&world, SECRET).await);
    assert_eq!(files_with(world.folder.path(), SECRET), Vec::<String>::new());
}
