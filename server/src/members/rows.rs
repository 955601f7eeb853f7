//! The table `member`.

use super::create::NewMember;
use crate::db::RowExt;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use shared::profile::{Language, MemberProfile, Standing};
use shared::{MemberId, Role, UnixMillis};

/// A member as stored, without the password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberRecord {
    pub id: MemberId,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub nickname: String,
    pub avatar: String,
    pub language: Language,
    pub role: Role,
}

impl MemberRecord {
    /// The member as the household sees them.
    pub fn profile(&self) -> MemberProfile {
        MemberProfile {
            id: self.id,
            nickname: self.nickname.clone(),
            avatar: self.avatar.clone(),
            role: self.role,
            standing: Standing::Active,
        }
    }
}

const COLUMNS: &str = "id, email, first_name, last_name, nickname, avatar, language, role";

fn from_row(row: &Row<'_>) -> rusqlite::Result<MemberRecord> {
    let language: String = row.get("language")?;
    Ok(MemberRecord {
        id: row.id("id")?,
        email: row.get("email")?,
        first_name: row.get("first_name")?,
        last_name: row.get("last_name")?,
        nickname: row.get("nickname")?,
        avatar: row.get("avatar")?,
        language: Language::from_tag(&language).unwrap_or_default(),
        role: row.id("role")?,
    })
}

pub fn find(connection: &Connection, id: MemberId) -> rusqlite::Result<Option<MemberRecord>> {
    let sql = format!("select {COLUMNS} from member where id = ?1 and disabled_at is null");
    connection.prepare_cached(&sql)?.query_row([id.to_string()], from_row).optional()
}

pub fn find_by_email(connection: &Connection, email: &str) -> rusqlite::Result<Option<MemberRecord>> {
    let sql = format!("select {COLUMNS} from member where email = ?1 and disabled_at is null");
    connection.prepare_cached(&sql)?.query_row([email.trim().to_lowercase()], from_row).optional()
}

/// How many accounts there are, disabled ones included.
pub fn count(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("select count(*) from member")?
        .query_row([], |row| row.get::<_, i64>(0))
        .map(i64::unsigned_abs)
}

pub(super) fn email_exists(connection: &Connection, email: &str) -> rusqlite::Result<bool> {
    connection.prepare_cached("select 1 from member where email = ?1")?.exists([email])
}

pub(super) fn insert(tx: &Transaction<'_>, id: MemberId, new: &NewMember, at: UnixMillis) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "insert into member (id, email, first_name, last_name, nickname, language, role, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?
    .execute(params![
        id.to_string(),
        new.email.as_str(),
        new.first_name,
        new.last_name,
        new.nickname,
        new.language.as_str(),
        new.role.as_str(),
        at.0
    ])?;
    Ok(())
}
