//! Reads what a turn's context is built from.

use super::context::{Facts, KinFacts, Past, Quote, Speaker, budget, estimate};
use super::journal::TurnFacts;
use crate::db::RowExt;
use crate::providers::{facts_of, model_of};
use jiff::tz::TimeZone;
use rusqlite::{Connection, OptionalExtension, Row, params};
use shared::profile::Language;
use shared::{Author, MessageState, ProviderId, UnixMillis};

/// Questions that are looked at, each with its answer.
const MAX_QUESTIONS: u32 = 200;

/// The provider to ask and the facts to tell it; `None` when the Kin has no model, or is gone.
pub(super) fn facts(
    conn: &Connection,
    turn: &TurnFacts,
    now: UnixMillis,
    zone: TimeZone,
) -> rusqlite::Result<Option<(ProviderId, Facts)>> {
    let Some(model) = model_of(conn, turn.kin)? else { return Ok(None) };
    let kin = conn.prepare_cached("select name, role, character, expertise from kin where id = ?1")?.query_row(
        [turn.kin.to_string()],
        |row| {
            Ok(KinFacts {
                name: row.get("name")?,
                role: row.get("role")?,
                character: row.get("character")?,
                expertise: row.get("expertise")?,
            })
        },
    )?;
    let household = conn
        .prepare_cached("select value from meta where key = 'household_name'")?
        .query_row([], |row| row.get(0))
        .optional()?
        .unwrap_or_default();
    let mut members = conn.prepare_cached(
        "select nickname from member where disabled_at is null and (?1 = 'household' or id = ?1) order by created_at, id",
    )?;
    let members = members.query_map([turn.audience.to_string()], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let (speaker, message, quote, seq) = message(conn, turn)?;
    let known = facts_of(conn, model.provider_id, &model.name)?;
    let (window, max_output) = (known.context_tokens, known.max_output_tokens);
    let history = history(conn, turn, seq, budget(window))?;
    let facts = Facts {
        model: model.name,
        window,
        max_output,
        kin,
        household,
        members,
        speaker,
        history,
        message,
        quote,
        now,
        zone,
    };
    Ok(Some((model.provider_id, facts)))
}

fn message(conn: &Connection, turn: &TurnFacts) -> rusqlite::Result<(Speaker, String, Option<Quote>, i64)> {
    conn.prepare_cached(
        "select message.text, message.seq, coalesce(member.nickname, kin.name, '?') as name, member.language,
                quoted.text as quoted_text,
                coalesce((select nickname from member where id = quoted.author),
                         (select name from kin where id = quoted.author), '?') as quoted_name
           from message left join member on member.id = message.author left join kin on kin.id = message.author
           left join message quoted on quoted.id = message.reply_to and quoted.session_id = message.session_id
                and quoted.audience = message.audience and quoted.state <> 'withdrawn'
          where message.id = ?1 and message.session_id = ?2 and message.audience = ?3",
    )?
    .query_row([turn.message.to_string(), turn.session.to_string(), turn.audience.to_string()], |row| {
        let language: Option<String> = row.get("language")?;
        let language = language.as_deref().and_then(Language::from_tag).unwrap_or_default();
        Ok((Speaker { name: row.get("name")?, language }, row.get("text")?, quote(row)?, row.get("seq")?))
    })
}

/// What stands before the message in the thread, oldest first: questions in their order, each with its answer behind it.
///
/// Questions that still wait for their own turn are left out. Reads backwards and stops when there is more than a
/// request can hold, so a long thread costs no more than a short one.
fn history(conn: &Connection, turn: &TurnFacts, before: i64, budget: usize) -> rusqlite::Result<Vec<Past>> {
    let mut query = conn.prepare_cached(
        "select question.author as question_author, question.text as question_text, question.state as question_state,
                coalesce(member.nickname, kin.name, '?') as question_name,
                quoted.text as quoted_text,
                coalesce((select nickname from member where id = quoted.author),
                         (select name from kin where id = quoted.author), '?') as quoted_name,
                answer.author as answer_author, answer.text as answer_text, answer.state as answer_state
           from message question
           left join member on member.id = question.author
           left join kin on kin.id = question.author
           left join message answer on answer.answers = question.id and answer.state <> 'superseded'
           left join message quoted on quoted.id = question.reply_to and quoted.session_id = question.session_id
                and quoted.audience = question.audience and quoted.state <> 'withdrawn'
          where question.session_id = ?1 and question.audience = ?2 and question.answers is null
            and question.seq < ?3 and question.state <> 'withdrawn'
            and not exists (select 1 from queue_entry where queue_entry.message_id = question.id)
          order by question.seq desc, answer.seq desc limit ?4",
    )?;
    let mut rows = query.query(params![turn.session.to_string(), turn.audience.to_string(), before, MAX_QUESTIONS])?;
    let mut newest_first = Vec::new();
    let mut tokens = 0;
    while let Some(row) = rows.next()? {
        let answer: Option<String> = row.get("answer_text")?;
        let answer = answer.map(|text| past(row, turn, "answer", text)).transpose()?;
        let question = past(row, turn, "question", row.get("question_text")?)?;
        let pair = answer.into_iter().chain([question]);
        for past in pair {
            tokens += estimate(&past.text);
            newest_first.push(past);
        }
        if tokens > budget {
            break;
        }
    }
    newest_first.reverse();
    Ok(newest_first)
}

fn past(row: &Row<'_>, turn: &TurnFacts, which: &str, text: String) -> rusqlite::Result<Past> {
    let author: Author = row.id(&format!("{which}_author"))?;
    let state: MessageState = row.id(&format!("{which}_state"))?;
    let quote = if which == "question" { quote(row)? } else { None };
    let by = match author {
        Author::Kin(kin) if kin == turn.kin => None,
        // Only the Kin of a session answers in it, so names are needed for questions alone.
        Author::Kin(_) | Author::Member(_) => Some(row.get("question_name")?),
    };
    Ok(Past { by, text, quote, state })
}

/// What a message quotes, of the columns `quoted_name` and `quoted_text`.
fn quote(row: &Row<'_>) -> rusqlite::Result<Option<Quote>> {
    let text: Option<String> = row.get("quoted_text")?;
    text.map(|text| Ok(Quote { by: row.get("quoted_name")?, text })).transpose()
}
