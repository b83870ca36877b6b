//! From whatever schema a file has to ours: the files of `migrations/`, inside the
//! program. A migration that was ever released is never changed; another follows it.

use sqlx::migrate::{MigrateError, Migration, MigrationType, Migrator};
use sqlx::{SqlSafeStr as _, SqliteConnection};

/// In the order in which they are run; the first one has the number 1.
const MIGRATIONS: [(&str, &str); 8] = [
    ("permissions", include_str!("../migrations/0001_permissions.sql")),
    ("trust", include_str!("../migrations/0002_trust.sql")),
    ("clock", include_str!("../migrations/0003_clock.sql")),
    ("activity", include_str!("../migrations/0004_activity.sql")),
    ("tokens", include_str!("../migrations/0005_tokens.sql")),
    ("extension sessions", include_str!("../migrations/0006_extension_sessions.sql")),
    ("records", include_str!("../migrations/0007_records.sql")),
    ("pairing of sessions", include_str!("../migrations/0008_pairing_of_sessions.sql")),
];

/// The newest schema that this program knows.
pub(crate) const KNOWN: i64 = MIGRATIONS.len() as i64;

/// Runs those that are missing. The connection is in a transaction that writes: two
/// programs may open a new file at once, and one that is killed leaves no half.
pub(crate) async fn run(connection: &mut SqliteConnection) -> Result<(), MigrateError> {
    let numbered = (1..).zip(MIGRATIONS);
    let migrations = numbered.map(|(version, (name, sql))| {
        Migration::new(version, name.into(), MigrationType::Simple, sql.into_sql_str(), false)
    });
    Migrator::with_migrations(migrations.collect()).run_direct(None, connection, false).await
}

/// The newest one that was run on a file; none on an empty one.
pub(crate) async fn newest(connection: &mut SqliteConnection) -> sqlx::Result<Option<i64>> {
    let is_there = "SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'";
    let is_there: i64 = sqlx::query_scalar(is_there).fetch_one(&mut *connection).await?;
    if is_there == 0 {
        return Ok(None);
    }
    sqlx::query_scalar("SELECT max(version) FROM _sqlx_migrations").fetch_one(connection).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_migration_in_the_folder_is_run() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let files = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<String> =
            files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        let expected: Vec<String> = (1..)
            .zip(MIGRATIONS)
            .map(|(version, (name, _))| format!("{version:04}_{}.sql", name.replace(' ', "_")))
            .collect();
        assert_eq!(names, expected);
    }
}
