//! The chain of hashes through the audit log.

use super::{Entry, from_row};
use rusqlite::{Connection, OptionalExtension};
use sha2::{Digest, Sha256};

/// What stands before the first row.
const START: [u8; 32] = [0; 32];
const COLUMNS: &str = "id, at, member_id, device_id, action, detail, why, hash";

/// What a look at the whole log found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    /// Every row follows from the one before; how many there are.
    Whole(u64),
    /// The log was tampered with, at this row first.
    Broken(i64),
}

/// The hash of a row behind a row of hash `before`. Every field has its length before it: no two rows read the same.
pub(super) fn link(before: &[u8; 32], entry: &Entry) -> [u8; 32] {
    let mut hash = Sha256::new_with_prefix(before);
    let member = entry.member.map(|id| id.to_string()).unwrap_or_default();
    let device = entry.device.map(|id| id.to_string()).unwrap_or_default();
    hash.update(entry.id.to_be_bytes());
    hash.update(entry.at.0.to_be_bytes());
    for field in [&member, &device, &entry.action, &entry.detail, &entry.why] {
        hash.update((field.len() as u64).to_be_bytes());
        hash.update(field.as_bytes());
    }
    hash.finalize().into()
}

/// Number and hash of the newest row.
pub(super) fn end(connection: &Connection) -> rusqlite::Result<(i64, [u8; 32])> {
    let newest = connection
        .prepare_cached("select id, hash from audit order by id desc limit 1")?
        .query_row([], |row| Ok((row.get::<_, i64>("id")?, row.get::<_, Option<[u8; 32]>>("hash")?)))
        .optional()?;
    match newest {
        None => Ok((0, START)),
        Some((id, Some(hash))) => Ok((id, hash)),
        // Only once: the first link covers whatever was written before there was a chain.
        Some((id, None)) => {
            let mut hash = START;
            each(connection, |entry, _| {
                hash = link(&hash, entry);
                true
            })?;
            Ok((id, hash))
        }
    }
}

/// Reads the whole log and says whether it is what was written.
///
/// # Errors
/// What SQLite says.
pub fn check(connection: &Connection) -> rusqlite::Result<Check> {
    let (mut before, mut count, mut chained, mut broken) = (START, 0_u64, false, None);
    each(connection, |entry, hash| {
        before = link(&before, entry);
        count += 1;
        let follows = match hash {
            Some(hash) => hash == before,
            None => !chained,
        };
        chained |= hash.is_some();
        // Numbers are never left out, so a row taken out of the middle shows even where nobody hashed it.
        if !follows || i64::try_from(count) != Ok(entry.id) {
            broken = Some(entry.id);
        }
        broken.is_none()
    })?;
    if let Some(id) = broken {
        return Ok(Check::Broken(id));
    }
    // Rows cut off the end leave no gap; SQLite remembers the highest number ever given.
    let highest: Option<u64> = connection
        .prepare_cached("select seq from sqlite_sequence where name = 'audit'")?
        .query_row([], |row| row.get(0))
        .optional()?;
    if highest.unwrap_or(0) != count {
        return Ok(Check::Broken(i64::try_from(count).unwrap_or(i64::MAX).saturating_add(1)));
    }
    Ok(Check::Whole(count))
}

/// Goes through the log in order for as long as `look` says.
fn each(connection: &Connection, mut look: impl FnMut(&Entry, Option<[u8; 32]>) -> bool) -> rusqlite::Result<()> {
    let mut rows = connection.prepare_cached(&format!("select {COLUMNS} from audit order by id"))?;
    let mut rows = rows.query([])?;
    while let Some(row) = rows.next()? {
        if !look(&from_row(row)?, row.get("hash")?) {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{self, Deed};
    use crate::db::MIGRATIONS;
    use shared::{MemberId, UnixMillis};

    fn log() -> Connection {
        let connection = Connection::open_in_memory().expect("a database");
        MIGRATIONS.iter().for_each(|sql| connection.execute_batch(sql).expect("a migration"));
        connection
    }

    fn write(connection: &mut Connection, rows: i64) {
        let tx = connection.transaction().expect("a transaction");
        for at in 0..rows {
            let member = (at % 2 == 0).then(|| MemberId::new(UnixMillis(at), [1; 10]));
            audit::record(&tx, UnixMillis(at), member, None, Deed::MemberDisabled, "x").expect("a row");
        }
        tx.commit().expect("a commit");
    }

    /// The log after somebody went around the triggers.
    fn tampered(sql: &str) -> Check {
        let mut connection = log();
        write(&mut connection, 5);
        assert_eq!(check(&connection), Ok(Check::Whole(5)));
        connection
            .execute_batch("drop trigger audit_is_not_changed; drop trigger audit_is_not_shortened;")
            .expect("sql");
        connection.execute_batch(sql).expect("sql");
        check(&connection).expect("a check")
    }

    #[test]
    fn what_is_changed_taken_out_put_in_or_cut_off_is_noticed() {
        assert_eq!(tampered("update audit set detail = 'y' where id = 3"), Check::Broken(3));
        assert_eq!(tampered("update audit set member_id = null where id = 1"), Check::Broken(1));
        assert_eq!(tampered("update audit set hash = null where id = 4"), Check::Broken(4));
        assert_eq!(tampered("delete from audit where id = 2"), Check::Broken(3));
        assert_eq!(tampered("delete from audit where id = 5"), Check::Broken(5));
        assert_eq!(tampered("delete from audit"), Check::Broken(1));
        assert_eq!(tampered("insert into audit (at, action, detail) values (9, 'x', 'y')"), Check::Broken(6));
        assert_eq!(tampered("update audit set detail = 'x'"), Check::Whole(5));
    }

    #[test]
    fn rows_are_neither_changed_nor_deleted() {
        let mut connection = log();
        write(&mut connection, 1);
        for sql in [
            "update audit set detail = 'y'",
            "delete from audit",
            "replace into audit (id, at, action, detail) values (1, 1, 'x', 'y')",
        ] {
            let said = connection.execute_batch(sql).map_err(|error| error.to_string());
            assert!(said.is_err_and(|said| said.contains("append-only")), "{sql}");
        }
        assert_eq!(check(&connection), Ok(Check::Whole(1)));
    }

    #[test]
    fn rows_from_before_the_chain_are_covered_by_its_first_link() {
        let mut connection = log();
        connection
            .execute_batch("insert into audit (at, action, detail) values (1, 'a', 'b'), (2, 'c', 'd')")
            .expect("sql");
        write(&mut connection, 2);
        assert_eq!(check(&connection), Ok(Check::Whole(4)));
        connection
            .execute_batch("drop trigger audit_is_not_changed; update audit set detail = 'z' where id = 2")
            .expect("sql");
        assert_eq!(check(&connection), Ok(Check::Broken(3)));
    }
}
