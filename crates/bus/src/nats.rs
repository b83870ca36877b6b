//! The bus of a team: NATS. Notices are kept for a while in a JetStream stream in the
//! server's memory, so that a client that was away can hear them; nothing that is told
//! is ever on its disk. Hubs need no more than to be woken: one that was cut off is
//! told that it missed something as soon as it is connected again.

use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::context::Context;
use async_nats::jetstream::stream::{Config, StorageType};
use async_nats::{Client, ConnectOptions, Event, HeaderMap};
use futures_util::StreamExt as _;
use tokio::sync::{broadcast, mpsc};

use crate::{ALL_SUBJECTS, Bus, BusError, Heard, Listener, Notice, WAITING, subject};

/// The stream's name.
pub(crate) const STREAM: &str = "OUTRIGGER_RECORDS";
/// How long notices are kept, and how many bytes of them.
const KEPT_FOR: Duration = Duration::from_secs(60 * 60);
const KEPT_BYTES: i64 = 64 << 20;
/// Two notices with one id are one, this long.
const ONE_WITHIN: Duration = Duration::from_secs(120);
/// The longest pause between two attempts to connect.
const PAUSE: Duration = Duration::from_secs(1);
/// How long the server may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// A connection to a NATS server, which comes back by itself.
pub struct NatsBus {
    client: Client,
    heard: broadcast::Sender<Heard>,
    to_tell: mpsc::Sender<Notice>,
}

impl NatsBus {
    /// Connects, within that time.
    pub async fn connect(url: &str, patience: Duration) -> Result<Self, BusError> {
        let server = without_password(url);
        let unreachable = |detail: String| BusError::Unreachable { server: server.clone(), detail };
        let heard = broadcast::Sender::new(WAITING);
        let options = options(&heard).connection_timeout(patience.min(PATIENCE));
        let connecting = tokio::time::timeout(patience, options.connect(url)).await;
        let connected = connecting.map_err(|_| unreachable("it does not answer".into()))?;
        let client = connected.map_err(|error| unreachable(error.to_string()))?;
        let hearing = client.subscribe(ALL_SUBJECTS).await;
        let hearing = hearing.map_err(|error| unreachable(error.to_string()))?;
        // The server reads in order: once it answers this, what anybody tells is heard.
        let jetstream = async_nats::jetstream::new(client.clone());
        make_stream(&jetstream)
            .await
            .map_err(|detail| BusError::NoJetStream { server: server.clone(), detail })?;
        Ok(NatsBus::over(client, hearing, heard))
    }

    /// Begins to connect, and goes on trying for as long as it takes: until then nobody
    /// else is told and nothing is heard. Whoever was not there is told to look once it is.
    pub async fn start(url: &str) -> Result<Self, BusError> {
        let server = without_password(url);
        let unreachable = |detail: String| BusError::Unreachable { server: server.clone(), detail };
        let heard = broadcast::Sender::new(WAITING);
        let options = options(&heard).connection_timeout(PATIENCE).retry_on_initial_connect();
        let client = options.connect(url).await.map_err(|error| unreachable(error.to_string()))?;
        let hearing = client.subscribe(ALL_SUBJECTS).await;
        let hearing = hearing.map_err(|error| unreachable(error.to_string()))?;
        Ok(NatsBus::over(client, hearing, heard))
    }

    fn over(
        client: Client,
        hearing: async_nats::Subscriber,
        heard: broadcast::Sender<Heard>,
    ) -> Self {
        let (to_tell, waiting) = mpsc::channel(WAITING);
        tokio::spawn(hear(hearing, heard.downgrade()));
        tokio::spawn(tell(async_nats::jetstream::new(client.clone()), waiting));
        NatsBus { client, heard, to_tell }
    }
}

fn options(heard: &broadcast::Sender<Heard>) -> ConnectOptions {
    let told = heard.clone();
    ConnectOptions::new()
        .name("outrigger")
        // What this hub tells, it knows.
        .no_echo()
        .request_timeout(Some(PATIENCE))
        .reconnect_delay_callback(|attempt| PAUSE.min(Duration::from_millis(50 * attempt as u64)))
        .event_callback(move |event| {
            if matches!(event, Event::Connected | Event::SlowConsumer(_)) {
                let _ = told.send(Heard::Missed);
            }
            async {}
        })
}

impl Bus for NatsBus {
    fn publish(&self, notice: Notice) {
        if self.to_tell.try_send(notice).is_err() {
            tracing::debug!("a notice is left out: NATS is slow or gone");
        }
    }

    fn listen(&self) -> Listener {
        Listener(self.heard.subscribe())
    }

    fn is_connected(&self) -> bool {
        self.client.connection_state() == State::Connected
    }
}

/// Ends with the bus.
async fn hear(mut hearing: async_nats::Subscriber, heard: broadcast::WeakSender<Heard>) {
    while let Some(message) = hearing.next().await {
        let notice = serde_json::from_slice::<Notice>(&message.payload);
        // Whatever it is, somebody told something.
        let what = notice.map_or(Heard::Missed, |notice| Heard::Notice(Arc::new(notice)));
        let Some(heard) = heard.upgrade() else { return };
        let _ = heard.send(what);
    }
}

/// Ends with the bus, once all is told.
async fn tell(jetstream: Context, mut waiting: mpsc::Receiver<Notice>) {
    while let Some(notice) = waiting.recv().await {
        if tell_one(&jetstream, &notice).await.is_err() {
            // A server that was started anew has lost the stream with its memory.
            let made = make_stream(&jetstream).await.is_ok();
            if !made || tell_one(&jetstream, &notice).await.is_err() {
                tracing::debug!("a notice is left out: NATS did not take it");
            }
        }
    }
}

async fn tell_one(jetstream: &Context, notice: &Notice) -> Result<(), String> {
    let payload = serde_json::to_vec(notice).map_err(|error| error.to_string())?;
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Msg-Id", format!("{}-{}", notice.life, notice.event.seq));
    let telling = async {
        let told = jetstream.publish_with_headers(subject(notice), headers, payload.into()).await;
        told.map_err(|error| error.to_string())?.await.map_err(|error| error.to_string())
    };
    let told = tokio::time::timeout(PATIENCE, telling).await;
    told.map_err(|_| "it does not answer".to_owned())?.map(drop)
}

async fn make_stream(jetstream: &Context) -> Result<(), String> {
    let config = Config {
        name: STREAM.into(),
        subjects: vec![ALL_SUBJECTS.into()],
        storage: StorageType::Memory,
        max_age: KEPT_FOR,
        max_bytes: KEPT_BYTES,
        duplicate_window: ONE_WITHIN,
        ..Config::default()
    };
    let made = tokio::time::timeout(PATIENCE, jetstream.get_or_create_stream(config)).await;
    let made = made.map_err(|_| "it does not answer".to_owned())?;
    made.map(drop).map_err(|error| error.to_string())
}

/// For people: the address without name and password.
fn without_password(url: &str) -> String {
    let Ok(mut parsed) = url::Url::parse(url) else { return "of NATS_URL".into() };
    // Addresses that can't have them have none.
    let _ = parsed.set_username("");
    let _ = parsed.set_password(None);
    parsed.to_string()
}
