//! Logins and their cookie.

use crate::db::RowExt;
use axum::http::{HeaderMap, HeaderValue, header};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use shared::{DeviceId, MemberId, Role, Scopes, TokenId, UnixMillis};

/// The cookie: the prefix makes browsers insist on Secure, no Domain and the path `/`.
pub const COOKIE: &str = "__Host-kinstead";
/// Browsers keep cookies for at most 400 days; when a login ends is decided by its row.
const COOKIE_MAX_AGE_S: u32 = 400 * 24 * 60 * 60;
/// How stale `last_seen_at` may get before a request costs a write.
const SEEN_EVERY_MS: i64 = 60 * 60 * 1000;

/// Whoever a cookie or token stands for.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub member: MemberId,
    pub role: Role,
    pub device: Option<DeviceId>,
    pub token: Option<TokenId>,
    pub scopes: Scopes,
    /// Whether the login should be told that it is still used.
    pub stale: bool,
}

/// A new random token.
pub fn new_secret(random: [u8; 32]) -> String {
    URL_SAFE_NO_PAD.encode(random)
}

pub fn setting_cookie(secret: &str) -> HeaderValue {
    let cookie = format!("{COOKIE}={secret}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age={COOKIE_MAX_AGE_S}");
    HeaderValue::from_str(&cookie).expect("base64url fits a header")
}

pub fn clearing_cookie() -> HeaderValue {
    HeaderValue::from_static("__Host-kinstead=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0")
}

/// The secret in the request's cookie.
pub fn cookie_secret(headers: &HeaderMap) -> Option<&str> {
    cookie_named(headers, COOKIE)
}

pub(super) fn cookie_named<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == wanted).map(|(_, value)| value)
}

/// The secret of the request's login: a native client's bearer token, or the cookie.
pub fn login_secret(headers: &HeaderMap) -> Option<&str> {
    match headers.get(header::AUTHORIZATION) {
        Some(bearer) => bearer.to_str().ok()?.strip_prefix("Bearer ").map(str::trim),
        None => cookie_secret(headers),
    }
}

pub fn has_cookie(headers: &HeaderMap) -> bool {
    cookie_secret(headers).is_some()
}

/// What became of a login.
#[derive(Debug, Clone, Copy)]
pub enum Login {
    /// It counts.
    Here(Found),
    /// Its device was revoked, or its member's account is disabled: the device is to wipe itself.
    Revoked,
    /// Unknown or run out.
    Gone,
}

/// What became of the login of this hash.
pub fn find_by_login(connection: &Connection, hash: &[u8; 32], now: UnixMillis) -> rusqlite::Result<Login> {
    let found = connection
        .prepare_cached(
            "select member.id, member.role, device.id as device_id, device.last_seen_at, login.expires_at,
                    member.disabled_at is not null or device.revoked_at is not null as revoked
               from login
               join member on member.id = login.member_id
               join device on device.id = login.device_id
              where login.token_hash = ?1",
        )?
        .query_row([hash.as_slice()], |row| {
            if row.get("revoked")? {
                return Ok(Login::Revoked);
            }
            if row.millis("expires_at")? <= now {
                return Ok(Login::Gone);
            }
            Ok(Login::Here(Found {
                member: row.id("id")?,
                role: row.id("role")?,
                device: Some(row.id("device_id")?),
                token: None,
                scopes: Scopes::ALL,
                stale: now.since(row.millis("last_seen_at")?) > SEEN_EVERY_MS,
            }))
        })
        .optional()?;
    Ok(found.unwrap_or(Login::Gone))
}

/// Who the personal access token of this hash belongs to, if it still counts.
pub fn find_by_token(connection: &Connection, hash: &[u8; 32]) -> rusqlite::Result<Option<Found>> {
    connection
        .prepare_cached(
            "select member.id, member.role, token.id as token_id, token.scopes
               from token
               join member on member.id = token.member_id
              where token.token_hash = ?1 and token.revoked_at is null and member.disabled_at is null",
        )?
        .query_row([hash.as_slice()], |row| {
            Ok(Found {
                member: row.id("id")?,
                role: row.id("role")?,
                device: None,
                token: Some(row.id("token_id")?),
                scopes: row.id("scopes")?,
                stale: false,
            })
        })
        .optional()
}

/// Whether somebody is signed in on the device.
pub fn device_counts(connection: &Connection, id: DeviceId, now: UnixMillis) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(
            "select 1 from login
               join member on member.id = login.member_id
               join device on device.id = login.device_id
              where login.device_id = ?1 and login.expires_at > ?2
                and member.disabled_at is null and device.revoked_at is null",
        )?
        .exists(params![id.to_string(), now.0])
}

/// Whether the token lets anybody in.
pub fn token_counts(connection: &Connection, id: TokenId) -> rusqlite::Result<bool> {
    connection
        .prepare_cached(
            "select 1 from token join member on member.id = token.member_id
              where token.id = ?1 and token.revoked_at is null and member.disabled_at is null",
        )?
        .exists([id.to_string()])
}

pub fn insert_device(
    tx: &Transaction<'_>,
    id: DeviceId,
    member: MemberId,
    name: &str,
    now: UnixMillis,
) -> rusqlite::Result<()> {
    tx.prepare_cached(
        "insert into device (id, member_id, name, created_at, last_seen_at) values (?1, ?2, ?3, ?4, ?4)",
    )?
    .execute(params![id.to_string(), member.to_string(), name, now.0])?;
    Ok(())
}

/// Whether the member may go on using this device.
pub fn owns_device(connection: &Connection, id: DeviceId, member: MemberId) -> rusqlite::Result<bool> {
    connection
        .prepare_cached("select 1 from device where id = ?1 and member_id = ?2 and revoked_at is null")?
        .exists(params![id.to_string(), member.to_string()])
}

pub fn insert_login(
    tx: &Transaction<'_>,
    hash: &[u8; 32],
    member: MemberId,
    device: DeviceId,
    now: UnixMillis,
    expires_at: UnixMillis,
) -> rusqlite::Result<()> {
    // What ran out stays as long as a browser keeps its cookie: a device that was revoked since must be told to wipe.
    let kept_since = now.0 - i64::from(COOKIE_MAX_AGE_S) * 1000;
    tx.prepare_cached("delete from login where expires_at <= ?1")?.execute([kept_since])?;
    tx.prepare_cached(
        "insert into login (token_hash, member_id, device_id, created_at, expires_at) values (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![hash, member.to_string(), device.to_string(), now.0, expires_at.0])?;
    Ok(())
}

/// Notes that a login is still used, which makes it last longer.
pub fn touch(tx: &Transaction<'_>, hash: &[u8; 32], now: UnixMillis, expires_at: UnixMillis) -> rusqlite::Result<()> {
    tx.prepare_cached("update login set expires_at = ?2 where token_hash = ?1")?
        .execute(params![hash, expires_at.0])?;
    tx.prepare_cached(
        "update device set last_seen_at = ?2 where id = (select device_id from login where token_hash = ?1)",
    )?
    .execute(params![hash, now.0])?;
    Ok(())
}

/// Notes that a device is in use.
pub fn see_device(tx: &Transaction<'_>, id: DeviceId, now: UnixMillis) -> rusqlite::Result<()> {
    tx.prepare_cached("update device set last_seen_at = ?2 where id = ?1")?.execute(params![id.to_string(), now.0])?;
    Ok(())
}

/// When the login of a device began, if it counts.
pub fn began_at(connection: &Connection, device: DeviceId, now: UnixMillis) -> rusqlite::Result<Option<UnixMillis>> {
    connection
        .prepare_cached("select max(created_at) as began_at from login where device_id = ?1 and expires_at > ?2")?
        .query_row(params![device.to_string(), now.0], |row| row.millis_opt("began_at"))
}

/// Ends what logins a device has.
pub fn end_of_device(tx: &Transaction<'_>, device: DeviceId) -> rusqlite::Result<()> {
    tx.prepare_cached("delete from login where device_id = ?1")?.execute([device.to_string()])?;
    Ok(())
}

/// Ends a member's logins on all devices but one: they are locked until the password is given again.
pub fn end_of_others(
    tx: &Transaction<'_>,
    member: MemberId,
    keep: Option<DeviceId>,
) -> rusqlite::Result<Vec<DeviceId>> {
    let keep = keep.map(|id| id.to_string());
    tx.prepare_cached(
        "delete from login where member_id = ?1 and device_id is not ?2
            and device_id in (select id from device where revoked_at is null) returning device_id",
    )?
    .query_map(params![member.to_string(), keep], |row| row.id("device_id"))?
    .collect()
}

pub fn delete(tx: &Transaction<'_>, hash: &[u8; 32]) -> rusqlite::Result<()> {
    tx.prepare_cached("delete from login where token_hash = ?1")?.execute([hash.as_slice()])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_found_among_others() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=b; __Host-kinstead-other=x"));
        assert_eq!(cookie_secret(&headers), None);
        headers.append(header::COOKIE, HeaderValue::from_static("c=d;__Host-kinstead=secret; e=f"));
        assert_eq!(cookie_secret(&headers), Some("secret"));
    }
}
