use super::*;

fn open() -> (tempfile::TempDir, Db) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let db = Db::open(&folder.path().join("kinstead.db")).expect("opens");
    (folder, db)
}

async fn put(db: &Db, key: &'static str) -> Result<usize, DbError> {
    db.write(move |tx| Ok(tx.execute("insert into meta (key, value) values (?1, 'x')", [key])?)).await
}

async fn keys(db: &Db) -> Vec<String> {
    let read = db.read(|connection| {
        let mut rows = connection.prepare("select key from meta where value = 'x' order by key")?;
        let keys = rows.query_map([], |row| row.get(0))?.collect::<Result<Vec<String>, _>>()?;
        Ok::<_, DbError>(keys)
    });
    read.await.expect("reads")
}

#[tokio::test]
async fn an_error_or_panic_undoes_that_write_alone() {
    let (_folder, db) = open();
    let panics = db.write(|tx| -> Result<(), DbError> {
        tx.execute("insert into meta (key, value) values ('panicked', 'x')", [])?;
        panic!("on purpose");
    });
    let fails = db.write(|tx| -> Result<(), DbError> {
        tx.execute("insert into meta (key, value) values ('failed', 'x')", [])?;
        Err(DbError::Closed)
    });
    let (a, panicked, failed, b) = tokio::join!(put(&db, "a"), panics, fails, put(&db, "b"));
    assert!(matches!((a, b), (Ok(1), Ok(1))));
    assert!(matches!(panicked, Err(DbError::Panicked)));
    assert!(matches!(failed, Err(DbError::Closed)));
    assert_eq!(keys(&db).await, ["a", "b"]);
}

#[tokio::test]
async fn writes_that_wait_together_commit_together() {
    let (folder, db) = open();
    let path = folder.path().join("kinstead.db");
    let (sender, gate) = std::sync::mpsc::channel::<()>();
    let held = db.write(move |_| -> Result<(), DbError> {
        gate.recv().expect("the gate opens");
        Ok(())
    });
    let look = db.write(move |tx| -> Result<(i64, i64), DbError> {
        let count = |connection: &Connection| {
            connection.query_row("select count(*) from meta where value = 'x'", [], |row| row.get(0))
        };
        Ok((count(tx)?, count(&Connection::open(path)?)?))
    });
    let open_gate = async {
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        sender.send(()).expect("the writer waits");
    };
    let (held, a, b, seen, ()) = tokio::join!(held, put(&db, "a"), put(&db, "b"), look, open_gate);
    assert!(held.is_ok() && a.is_ok() && b.is_ok());
    // The third write of the group sees the others; nobody outside does yet.
    assert_eq!(seen.expect("looks"), (2, 0));
}

#[tokio::test]
async fn a_full_disk_says_so_and_the_writer_goes_on() {
    let (_folder, db) = open();
    let limit = db.write(|tx| -> Result<i64, DbError> {
        let pages: i64 = tx.pragma_query_value(None, "page_count", |row| row.get(0))?;
        Ok(tx.pragma_update_and_check(None, "max_page_count", pages + 2, |row| row.get(0))?)
    });
    limit.await.expect("sets the limit");
    let big = db.write(|tx| -> Result<(), DbError> {
        tx.execute("insert into meta (key, value) values ('big', ?1)", ["x".repeat(1 << 20)])?;
        Ok(())
    });
    let (big, small) = tokio::join!(big, put(&db, "small"));
    assert!(matches!(big, Err(DbError::Full)), "{big:?}");
    assert!(matches!(small, Ok(1)), "{small:?}");
    assert_eq!(keys(&db).await, ["small"]);
}

#[tokio::test]
async fn readers_cannot_write() {
    let (_folder, db) = open();
    let written = db.read(|connection| -> Result<usize, DbError> { Ok(connection.execute("delete from meta", [])?) });
    assert!(written.await.is_err());
}

#[tokio::test]
async fn a_closed_database_has_kept_everything_and_refuses_more() {
    let (folder, db) = open();
    let (written, ()) = tokio::join!(put(&db, "a"), db.close());
    assert!(matches!(written, Ok(1)));
    assert!(matches!(put(&db, "b").await, Err(DbError::Closed)));
    let again = Db::open(&folder.path().join("kinstead.db")).expect("opens again");
    assert_eq!(keys(&again).await, ["a"]);
}

#[test]
fn a_newer_database_is_left_alone() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("kinstead.db");
    let connection = Connection::open(&path).expect("opens");
    connection.pragma_update(None, "user_version", 999).expect("sets the version");
    drop(connection);
    assert!(matches!(Db::open(&path), Err(OpenError::TooNew { found: 999, known: _ })));
}

#[tokio::test]
async fn an_account_of_the_first_version_is_kept_and_has_no_password_yet() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("kinstead.db");
    let old = rusqlite::Connection::open(&path).expect("opens");
    old.execute_batch(migrate::MIGRATIONS[0]).expect("the first version");
    old.execute_batch(
        "insert into member (id, email, first_name, last_name, nickname, language, role, password_hash, created_at)
         values ('mbr_1', 'ada@house.test', 'Ada', 'L', 'Ada', 'en', 'admin', '$argon2id$', 7);
         insert into device (id, member_id, name, created_at, last_seen_at) values ('dev_1', 'mbr_1', 'x', 7, 7);
         insert into login values (x'00', 'mbr_1', 'dev_1', 7, 8);
         pragma user_version = 1",
    )
    .expect("an account");
    drop(old);
    let db = Db::open(&path).expect("migrates");
    let read = db.read(|connection| {
        let one = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0));
        let kept =
            one("select count(*) from member join device on device.member_id = member.id join login on device_id = device.id
                         where email = 'ada@house.test' and role = 'admin' and member.created_at = 7")?;
        Ok::<_, DbError>((kept, one("select count(*) from credential")?))
    });
    assert_eq!(read.await.expect("reads"), (1, 0));
}
