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
    pub standing: Standing,
    pub created_at: UnixMillis,
}

impl MemberRecord {
    /// The member as the household sees them.
    pub fn profile(&self) -> MemberProfile {
        MemberProfile {
            id: self.id,
            nickname: self.nickname.clone(),
            avatar: self.avatar.clone(),
            role: self.role,
            standing: self.standing,
        }
    }

    /// Whether they are one of those whom the household needs at least one of.
    pub fn keeps_the_keys(&self) -> bool {
        self.role == Role::Admin && self.standing == Standing::Active
    }
}

/// What an admin sees of a member's devices.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Presence {
    /// Devices that are signed in.
    pub devices: u32,
    /// When one of them was last used, to the hour.
    pub last_seen_at: Option<UnixMillis>,
}

const COLUMNS: &str =
    "id, email, first_name, last_name, nickname, avatar, language, role, created_at, disabled_at, gone_at";

fn from_row(row: &Row<'_>) -> rusqlite::Result<MemberRecord> {
    let language: String = row.get("language")?;
    let standing = match (row.millis_opt("gone_at")?, row.millis_opt("disabled_at")?) {
        (Some(_), _) => Standing::Gone,
        (None, Some(_)) => Standing::Disabled,
        (None, None) => Standing::Active,
    };
    Ok(MemberRecord {
        id: row.id("id")?,
        email: row.get("email")?,
        first_name: row.get("first_name")?,
        last_name: row.get("last_name")?,
        nickname: row.get("nickname")?,
        avatar: row.get("avatar")?,
        language: Language::from_tag(&language).unwrap_or_default(),
        role: row.id("role")?,
        standing,
        created_at: row.millis("created_at")?,
    })
}

/// A member who may come in.
pub fn find(connection: &Connection, id: MemberId) -> rusqlite::Result<Option<MemberRecord>> {
    Ok(find_any(connection, id)?.filter(|member| member.standing == Standing::Active))
}

/// A member, whether they may come in or not.
pub fn find_any(connection: &Connection, id: MemberId) -> rusqlite::Result<Option<MemberRecord>> {
    let sql = format!("select {COLUMNS} from member where id = ?1");
    connection.prepare_cached(&sql)?.query_row([id.to_string()], from_row).optional()
}

/// A member who may come in, by email.
pub fn find_by_email(connection: &Connection, email: &str) -> rusqlite::Result<Option<MemberRecord>> {
    let sql = format!("select {COLUMNS} from member where email = ?1 and disabled_at is null");
    connection.prepare_cached(&sql)?.query_row([email.trim().to_lowercase()], from_row).optional()
}

/// Everyone who has an account, in the order they came.
pub(super) fn list(connection: &Connection) -> rusqlite::Result<Vec<MemberRecord>> {
    let sql = format!("select {COLUMNS} from member where gone_at is null order by created_at, id");
    connection.prepare_cached(&sql)?.query_map([], from_row)?.collect()
}

/// On how many devices a member is signed in, and when they were last there.
pub(super) fn presence(connection: &Connection, id: MemberId, now: UnixMillis) -> rusqlite::Result<Presence> {
    connection
        .prepare_cached(
            "select max(last_seen_at) as last_seen_at,
                    sum(revoked_at is null and exists
                        (select 1 from login where device_id = device.id and expires_at > ?2)) as devices
               from device where member_id = ?1",
        )?
        .query_row(params![id.to_string(), now.0], |row| {
            let devices: Option<u32> = row.get("devices")?;
            Ok(Presence { devices: devices.unwrap_or(0), last_seen_at: row.millis_opt("last_seen_at")? })
        })
}

/// How many accounts there are or have been: setup is closed for good once there was one.
pub fn count(connection: &Connection) -> rusqlite::Result<u64> {
    connection
        .prepare_cached("select count(*) from member")?
        .query_row([], |row| row.get::<_, i64>(0))
        .map(i64::unsigned_abs)
}

/// Whether somebody else keeps the keys too.
pub(super) fn has_other_admin(connection: &Connection, id: MemberId) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("select 1 from member where role = 'admin' and disabled_at is null and id <> ?1")?
        .exists([id.to_string()])
}

/// Whether there is any other account.
pub(super) fn has_others(connection: &Connection, id: MemberId) -> rusqlite::Result<bool> {
    connection.prepare_cached("select 1 from member where gone_at is null and id <> ?1")?.exists([id.to_string()])
}

/// Whether an account other than `but` has this email.
pub(super) fn email_exists(connection: &Connection, email: &str, but: Option<MemberId>) -> rusqlite::Result<bool> {
    let but = but.map(|id| id.to_string()).unwrap_or_default();
    connection.prepare_cached("select 1 from member where email = ?1 and id <> ?2")?.exists([email, &but])
}

pub(super) fn insert(tx: &Transaction<'_>, id: MemberId, new: &NewMember, at: UnixMillis) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "insert into member
           (id, email, first_name, last_name, nickname, avatar, language, role, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    )?
    .execute(params![
        id.to_string(),
        new.email.as_str(),
        new.first_name,
        new.last_name,
        new.nickname,
        new.avatar,
        new.language.as_str(),
        new.role.as_str(),
        at.0
    ])?;
    Ok(())
}

/// Writes everything about a member that people choose.
pub(super) fn update(tx: &Transaction<'_>, member: &MemberRecord) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "update member set email = ?2, first_name = ?3, last_name = ?4, nickname = ?5, avatar = ?6, role = ?7
          where id = ?1",
    )?
    .execute(params![
        member.id.to_string(),
        member.email,
        member.first_name,
        member.last_name,
        member.nickname,
        member.avatar,
        member.role.as_str()
    ])?;
    Ok(())
}

/// The language a member's own document says they prefer.
pub fn save_language(tx: &Transaction<'_>, id: MemberId, language: Language) -> rusqlite::Result<()> {
    tx.prepare_cached("update member set language = ?2 where id = ?1")?
        .execute(params![id.to_string(), language.as_str()])?;
    Ok(())
}

/// Lets a member come in, or not.
pub(super) fn save_disabled(tx: &Transaction<'_>, id: MemberId, at: Option<UnixMillis>) -> rusqlite::Result<()> {
    tx.prepare_cached("update member set disabled_at = ?2 where id = ?1")?
        .execute(params![id.to_string(), at.map(|at| at.0)])?;
    Ok(())
}
