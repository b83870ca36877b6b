//! The tour: an MCP client of our own drives a bundled page in a real browser,
//! tells what it does and how long it takes, and checks the result.

mod client;
mod page;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::Engine as _;
use serde_json::{Value, json};

use client::{Answer, TourClient};

/// How the tour reaches a browser.
#[derive(Debug, Clone)]
pub struct TourOptions {
    /// The program to run as an MCP server.
    pub program: PathBuf,
    /// Its arguments: `mcp`, and whether it launches a browser of its own.
    pub arguments: Vec<String>,
    /// Where transcript and picture go.
    pub out: PathBuf,
}

/// One step of the tour, as it is told.
#[derive(Debug, Clone)]
pub struct Step {
    /// What was done, in words.
    pub what: String,
    /// The call, as a client would write it.
    pub call: String,
    /// What came back, shortened.
    pub answer: String,
    /// How long it took.
    pub took: Duration,
}

/// What the tour left.
#[derive(Debug, Clone)]
pub struct Souvenirs {
    /// Every step, in markdown.
    pub transcript: PathBuf,
    /// The annotated picture.
    pub picture: PathBuf,
    /// From the first step to the last.
    pub took: Duration,
}

/// Why the tour did not reach its end.
#[derive(Debug, thiserror::Error)]
pub enum TourError {
    /// The server can't be run or spoken to.
    #[error("the MCP server could not be used: {0}")]
    Server(String),
    /// A tool said no.
    #[error("{call} failed: {answer}")]
    Tool {
        /// The call.
        call: String,
        /// What it said.
        answer: String,
    },
    /// A tool said yes, but the page says otherwise.
    #[error("the tour expected {expected}, but found: {found}")]
    Unexpected {
        /// What should be there.
        expected: String,
        /// What is.
        found: String,
    },
    /// Transcript or picture can't be written.
    #[error("{path} can't be written: {source}")]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The bundled page can't be served.
    #[error("the bundled page can't be served: {0}")]
    Page(std::io::Error),
}

/// Takes the tour, telling each step as it is done.
pub async fn take(options: &TourOptions, tell: impl FnMut(&Step)) -> Result<Souvenirs, TourError> {
    let page = page::serve().await.map_err(TourError::Page)?;
    let client = TourClient::start(&options.program, &options.arguments).await?;
    let mut tour = Tour { client, tell, steps: Vec::new() };
    let began = Instant::now();
    let picture = tour.walk(&page.url).await?;
    let took = began.elapsed();
    let picture = write(&options.out, "tour.jpg", &picture)?;
    let transcript = write(&options.out, "transcript.md", transcript(&tour.steps).as_bytes())?;
    tour.client.stop().await;
    Ok(Souvenirs { transcript, picture, took })
}

struct Tour<T> {
    client: TourClient,
    tell: T,
    steps: Vec<Step>,
}

impl<T: FnMut(&Step)> Tour<T> {
    /// The route. Gives the picture.
    async fn walk(&mut self, url: &str) -> Result<Vec<u8>, TourError> {
        self.call("Open the bundled page", "browser_navigate", json!({"url": url})).await?;
        let seen = self.call("Read it", "browser_snapshot", json!({})).await?;
        expect(&seen, "# Crossing to the island")?;
        let found = self
            .call("Find a field", "browser_find", json!({"query": "Your name", "role": "textbox"}))
            .await?;
        let name = reference(&found, "<textbox ")?;
        self.call("Fill it", "browser_type", json!({"ref": name, "text": "Ada Lovelace"})).await?;
        let found = self
            .call(
                "Find the passengers field",
                "browser_find",
                json!({"query": "Passengers", "role": "spinbutton"}),
            )
            .await?;
        let passengers = reference(&found, "<spinbutton ")?;
        self.call(
            "Fill that too",
            "browser_type",
            json!({"ref": passengers, "text": "3", "clear": true}),
        )
        .await?;
        let found = self
            .call(
                "Find the button",
                "browser_find",
                json!({"query": "Book the crossing", "role": "button"}),
            )
            .await?;
        let button = reference(&found, "<button ")?;
        let shot = self
            .call(
                "Take a picture with the refs on it",
                "browser_screenshot",
                json!({"annotate": true}),
            )
            .await?;
        self.call("Click it", "browser_click", json!({"ref": button})).await?;
        self.call(
            "Wait for the answer",
            "browser_wait",
            json!({"text": "Booked for Ada Lovelace"}),
        )
        .await?;
        let seen = self.call("Read the page again", "browser_snapshot", json!({})).await?;
        expect(&seen, "Booked for Ada Lovelace and 2 more")?;
        shot.picture.ok_or_else(|| TourError::Unexpected {
            expected: "a picture".to_owned(),
            found: shot.text,
        })
    }

    async fn call(
        &mut self,
        what: &str,
        tool: &str,
        arguments: Value,
    ) -> Result<Answer, TourError> {
        let call = format!("{tool} {arguments}");
        let began = Instant::now();
        let answer = self.client.call(tool, arguments).await?;
        let step = Step {
            what: what.to_owned(),
            call: call.clone(),
            answer: answer.text.clone(),
            took: began.elapsed(),
        };
        (self.tell)(&step);
        self.steps.push(step);
        if answer.failed {
            return Err(TourError::Tool { call, answer: answer.text });
        }
        Ok(answer)
    }
}

fn expect(answer: &Answer, text: &str) -> Result<(), TourError> {
    if answer.text.contains(text) {
        return Ok(());
    }
    Err(TourError::Unexpected { expected: format!("{text:?}"), found: answer.text.clone() })
}

/// The ref behind the first control that is written so.
fn reference(answer: &Answer, control: &str) -> Result<String, TourError> {
    let missing = || TourError::Unexpected {
        expected: format!("a control {control}…>"),
        found: answer.text.clone(),
    };
    let (_, after) = answer.text.split_once(control).ok_or_else(missing)?;
    Ok(after.chars().take_while(char::is_ascii_alphanumeric).collect())
}

fn transcript(steps: &[Step]) -> String {
    let mut out = String::from("# The tour\n");
    for (index, step) in steps.iter().enumerate() {
        let ms = step.took.as_secs_f64() * 1000.0;
        out.push_str(&format!(
            "\n## {}. {} ({ms:.1} ms)\n\n    {}\n\n```\n{}\n```\n",
            index + 1,
            step.what,
            step.call,
            step.answer.replace("```", "'''"),
        ));
    }
    out
}

fn write(folder: &Path, name: &str, content: &[u8]) -> Result<PathBuf, TourError> {
    let path = folder.join(name);
    let written = std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&path, content));
    written.map_err(|source| TourError::Write { path: path.clone(), source })?;
    Ok(path)
}

/// Reads a picture out of its base64.
fn decode(data: &str) -> Option<Vec<u8>> {
    base64::engine::general_purpose::STANDARD.decode(data).ok()
}
