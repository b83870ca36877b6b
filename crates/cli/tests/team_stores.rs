//! The servers that hubs share, as a person hears of them.

use crate::program::Program;
use outrigger_testkit::{NatsServer, PostgresServer};

/// Standard output of a command that is told of the servers.
async fn said(program: &Program, arguments: &[&str], database: &str, nats: &str) -> String {
    let mut command = program.command(arguments);
    command.env("DATABASE_URL", database).env("NATS_URL", nats);
    let output = command.output().await.unwrap();
    let all = [output.stdout, output.stderr].concat();
    let said = String::from_utf8(all).unwrap();
    assert!(!said.contains("hush"), "{said}");
    said
}

#[tokio::test]
async fn doctor_tells_whether_the_servers_are_there_and_nothing_tells_their_passwords() {
    let (mut server, mut nats) = (PostgresServer::start(), NatsServer::start());
    let program = Program::new();
    let database = server.url().replace("postgres@", "postgres:hush-hush@");
    let bus = nats.url().replace("nats://", "nats://me:hush-hush@");
    let doctor = said(&program, &["doctor"], &database, &bus).await;
    assert!(doctor.contains("✓ database") && doctor.contains("✓ nats"), "{doctor}");
    let config = said(&program, &["config"], &database, &bus).await;
    assert!(config.contains("database_url  postgres://127.0.0.1:"), "{config}");
    said(&program, &["--json", "config"], &database, &bus).await;

    server.stop();
    nats.stop();
    let doctor = said(&program, &["doctor"], &database, &bus).await;
    for (name, fix) in [("✗ database", "DATABASE_URL is right"), ("✗ nats", "NATS_URL is right")]
    {
        assert!(doctor.contains(name) && doctor.contains(fix), "{doctor}");
    }
    // Neither is anything to somebody who never named them.
    let doctor = program.run(&["doctor"]).await;
    let doctor = String::from_utf8(doctor.stdout).unwrap();
    assert!(!doctor.contains("database") && !doctor.contains("nats"), "{doctor}");
}

#[tokio::test]
async fn an_address_that_is_none_is_refused_and_not_repeated() {
    let program = Program::new();
    let refused = said(&program, &["doctor"], "me:hush-hush@host", "nats://127.0.0.1").await;
    assert!(refused.contains("DATABASE_URL: it is no address"), "{refused}");
    let config = program.home.path().join("config.toml");
    std::fs::write(&config, "port = 7001\ndatabase_url = postgres://me:hush-hush@host/team\n")
        .unwrap();
    let refused = program.fails(&["config"]).await;
    assert!(refused.contains("line 2") && !refused.contains("hush"), "{refused}");
}
