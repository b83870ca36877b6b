//! Owns the conversation with one MCP server over its standard input and output: newline-delimited JSON-RPC,
//! a deadline on every request, and times taken as close to the pipe as possible. Knows no tool by name.

use std::{
    collections::VecDeque,
    io::{BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::failure::Failure;

/// The revision that all the servers under comparison answer to.
const PROTOCOL_VERSION: &str = "2025-11-25";
const LAST_WORDS: usize = 5;

/// An answer and how long it took to come.
#[derive(Debug)]
pub(crate) struct Timed<T> {
    pub(crate) value: T,
    pub(crate) took: Duration,
    /// When the answer's line was read, before it was parsed.
    arrived: Instant,
}

impl<T> Timed<T> {
    pub(crate) fn milliseconds(&self) -> f64 {
        self.took.as_secs_f64() * 1000.0
    }
}

/// A running MCP server.
#[derive(Debug)]
pub(crate) struct StdioServer {
    child: Child,
    input: ChildStdin,
    lines: Receiver<(Instant, String)>,
    stderr: Arc<Mutex<VecDeque<String>>>,
    next_id: u64,
    deadline: Duration,
    spawned: Instant,
}

impl StdioServer {
    /// Starts the program in a process group of its own.
    pub(crate) fn spawn(mut command: Command, deadline: Duration) -> Result<Self, Failure> {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        let spawned = Instant::now();
        let mut child = command.spawn().map_err(Failure::io("start the server"))?;
        let missing =
            || Failure::io("open the server's pipes")(std::io::ErrorKind::BrokenPipe.into());
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let errors = child.stderr.take().ok_or_else(missing)?;

        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let arrived = Instant::now();
                let Ok(line) = line else { return };
                if sender.send((arrived, line)).is_err() {
                    return;
                }
            }
        });
        let stderr = Arc::new(Mutex::new(VecDeque::new()));
        let words = Arc::clone(&stderr);
        thread::spawn(move || {
            for line in BufReader::new(errors).lines() {
                let (Ok(line), Ok(mut kept)) = (line, words.lock()) else { return };
                kept.push_back(line);
                if kept.len() > LAST_WORDS {
                    kept.pop_front();
                }
            }
        });
        Ok(Self { child, input, lines, stderr, next_id: 0, deadline, spawned })
    }

    /// The process that was started.
    pub(crate) fn pid(&self) -> i32 {
        self.child.id().cast_signed()
    }

    /// The handshake; gives the server's own version.
    pub(crate) fn initialize(&mut self) -> Result<String, Failure> {
        let params = json!({
            "protocolVersion": PROTOCOL_VERSION,
            "capabilities": {},
            "clientInfo": { "name": "outrigger-bench", "version": env!("CARGO_PKG_VERSION") },
        });
        let answer = self.request("initialize", &params)?.value;
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }))?;
        Ok(answer["serverInfo"]["version"].as_str().unwrap_or_default().to_owned())
    }

    /// All tools, page by page. The time runs from the start of the process.
    pub(crate) fn list_tools(&mut self) -> Result<Timed<Vec<Value>>, Failure> {
        let mut tools = Vec::new();
        let mut cursor = Value::Null;
        loop {
            let params = if cursor.is_null() { json!({}) } else { json!({ "cursor": cursor }) };
            let Timed { value: answer, arrived, .. } = self.request("tools/list", &params)?;
            tools.extend(answer["tools"].as_array().into_iter().flatten().cloned());
            cursor = answer["nextCursor"].clone();
            if cursor.is_null() {
                return Ok(Timed {
                    value: tools,
                    took: arrived.duration_since(self.spawned),
                    arrived,
                });
            }
        }
    }

    /// Calls a tool; a result marked as an error is a failure.
    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Timed<Value>, Failure> {
        let answer =
            self.request("tools/call", &json!({ "name": tool, "arguments": arguments }))?;
        if answer.value["isError"] == json!(true) {
            let message =
                crate::reply::text_of(&answer.value).lines().take(3).collect::<Vec<_>>().join(" ");
            return Err(Failure::Refused { what: tool.to_owned(), message });
        }
        Ok(answer)
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Timed<Value>, Failure> {
        self.next_id += 1;
        let id = self.next_id;
        let what = params["name"].as_str().unwrap_or(method).to_owned();
        let message = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        let sent = Instant::now();
        if self.send(&message).is_err() {
            return Err(self.ended(what));
        }
        loop {
            let left = self.deadline.saturating_sub(sent.elapsed());
            let (arrived, line) = match self.lines.recv_timeout(left) {
                Ok(arrival) => arrival,
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Failure::Deadline { what, after: self.deadline });
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(what)),
            };
            // Some servers print other things to their output; a client skips what isn't JSON-RPC.
            let Ok(mut answer) = serde_json::from_str::<Value>(&line) else { continue };
            if answer.get("method").is_some() {
                self.answer_server(&answer)?;
            } else if answer["id"] == json!(id) {
                if let Some(error) = answer.get("error") {
                    let message = error["message"].as_str().unwrap_or("unknown error").to_owned();
                    return Err(Failure::Refused { what, message });
                }
                return Ok(Timed {
                    value: answer["result"].take(),
                    took: arrived.duration_since(sent),
                    arrived,
                });
            }
        }
    }

    /// We offer no capabilities, so all that a server may ask of us is a ping.
    fn answer_server(&mut self, request: &Value) -> Result<(), Failure> {
        let Some(id) = request.get("id") else { return Ok(()) };
        let answer = if request["method"] == json!("ping") {
            json!({ "jsonrpc": "2.0", "id": id, "result": {} })
        } else {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": -32601, "message": "not offered" } })
        };
        self.send(&answer)
    }

    fn send(&mut self, message: &Value) -> Result<(), Failure> {
        let mut line = message.to_string();
        line.push('\n');
        self.input
            .write_all(line.as_bytes())
            .and_then(|()| self.input.flush())
            .map_err(Failure::io("write to the server"))
    }

    fn ended(&self, what: String) -> Failure {
        let stderr = self
            .stderr
            .lock()
            .ok()
            .and_then(|words| words.iter().rev().find(|line| !line.trim().is_empty()).cloned())
            .unwrap_or_else(|| "none".to_owned());
        Failure::Ended { what, stderr }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(script: &str) -> StdioServer {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        StdioServer::spawn(command, Duration::from_millis(500)).unwrap()
    }

    #[test]
    fn an_answer_is_found_among_notifications_and_noise() {
        let mut server = server(
            r#"read line; echo hello; echo '{"method":"notifications/x"}'
               echo '{"id":7,"result":{}}'; echo '{"id":1,"result":{"content":[]}}'"#,
        );
        assert_eq!(server.call("t", &json!({})).unwrap().value, json!({ "content": [] }));
    }

    #[test]
    fn tools_are_listed_page_by_page() {
        let mut server = server(
            r#"read line; echo '{"id":1,"result":{"tools":[1],"nextCursor":"c"}}'
               read line; echo '{"id":2,"result":{"tools":[2]}}'"#,
        );
        assert_eq!(server.list_tools().unwrap().value, [json!(1), json!(2)]);
    }

    #[test]
    fn a_silent_server_runs_into_the_deadline() {
        let failure = server("read line; read line").call("t", &json!({})).unwrap_err();
        assert!(matches!(failure, Failure::Deadline { .. }), "{failure}");
    }

    #[test]
    fn a_server_that_ends_leaves_its_last_words() {
        let mut server = server("echo 'no such profile' >&2; sleep 0.1; exit 1");
        let failure = server.call("t", &json!({})).unwrap_err();
        assert!(failure.to_string().contains("no such profile"), "{failure}");
    }

    #[test]
    fn a_result_marked_as_an_error_is_a_failure() {
        let mut server = server(
            r#"read line
               echo '{"id":1,"result":{"isError":true,"content":[{"type":"text","text":"stale"}]}}'"#,
        );
        assert_eq!(server.call("t", &json!({})).unwrap_err().to_string(), "t: stale");
    }
}
