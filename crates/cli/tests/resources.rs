//! Resources over standard input and output: the hub is another process, and may be
//! another one later.

use crate::program::Program;
use outrigger_testkit::eventually;
use serde_json::json;

async fn change(program: &Program, id: &str, context: &str) {
    let ran = program.run(&["record", "put", "--id", id, context]).await;
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
}

#[tokio::test]
async fn what_is_followed_is_told_over_a_restart_of_the_hub() {
    let program = Program::new();
    let mut hub = program.up(&[]).await;
    let client = program.mcp(&["--tools", "core,records"]).await;
    let new = json!({"schema_name": "note.v1", "context": {"text": "green"}});
    let made = client.ok("record_put", new).await;
    let id = made.split_whitespace().nth(2).unwrap().trim_end_matches(',').to_owned();
    let address = format!("outrigger://records/{id}");
    assert!(client.resources().await.contains(&"outrigger://context/active".to_owned()));
    assert!(client.read(&address).await.unwrap().contains("green"));
    client.subscribe(&address).await.unwrap();
    let unknown = client.subscribe("outrigger://records/none").await.unwrap_err().to_string();
    assert!(unknown.contains("there is no record none"), "{unknown}");

    change(&program, &id, "{\"cups\":1}").await;
    eventually("the change is told", || async {
        client.updates().contains(&address).then_some(())
    })
    .await;

    hub.kill().await.unwrap();
    let _again = program.up(&[]).await;
    // That something may have been missed is told first.
    eventually("it is followed again", || async {
        client.updates().contains(&address).then_some(())
    })
    .await;
    // A call over the same connection: what was asked before it is known to the hub.
    client.ok("record_get", json!({"id": id})).await;
    client.updates();
    change(&program, &id, "{\"cups\":2}").await;
    eventually("the next change is told", || async {
        client.updates().contains(&address).then_some(())
    })
    .await;
    assert!(client.read(&address).await.unwrap().contains("\"cups\":2"));
    client.unsubscribe(&address).await.unwrap();
    client.leave().await;
}
