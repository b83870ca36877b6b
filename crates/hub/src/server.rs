//! The hub itself: wires the parts together, serves until told to stop. How
//! connections are taken on is in `listening.rs`.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, FromRequestParts as _, Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Extension, Json, Router};
use http::StatusCode;
use outrigger_browser::Desk;
use outrigger_browser::uploads::UploadRoots;
use outrigger_dispatch::{Call, Road};
use outrigger_guard::Guard;
use outrigger_protocol::agent::{CallReply, Launch};
use outrigger_protocol::link::MAX_FRAME_BYTES;
use outrigger_records::tools::RecordsHome;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::agent_link::{self, AgentCount};
use crate::auth_session;
use crate::catalogue;
use crate::consent::UserConsent;
use crate::credentials::Credentials;
use crate::extension_link::ExtensionLinks;
use crate::gate::{self, Gate, Sender};
use crate::home::{HomeError, Token, TokenKind};
use crate::launch::{LaunchError, Launcher};
use crate::listening::{accept, listen, places};
use crate::mcp;
use crate::mcp_sessions::{self, McpSessions};
use crate::memory::{Heedful, Memory};
use crate::openapi;
use crate::pairing::Pairing;
use crate::problem::Problem;
use crate::records::actions::Actions;
use crate::records::tracking::PageTracking;
use crate::records::{HubRecords, RecordsOfTools, Servers, api as records_api};
use crate::refused_extensions::RefusedExtensions;
use crate::rule_book::UsersBook;
use crate::rules::Rules;
use crate::rules_api;
use crate::session_ends;
use crate::settings::{Settings, TabsAtEnd, Window};
use crate::shares::Shares;
use crate::short_hash::short_hash;
use crate::tokens_api;

/// Open sockets of extensions and agents beyond this are refused.
const MAX_SOCKETS: usize = 128;

/// What a hub that is told to stop gives its connections to end by themselves.
const FAREWELL: Duration = Duration::from_secs(5);

/// What every route shares.
pub(crate) struct Shared {
    pub(crate) desk: Arc<Desk>,
    pub(crate) road: Road,
    pub(crate) guard: Arc<Guard>,
    pub(crate) launcher: Launcher,
    pub(crate) agents: Arc<AgentCount>,
    pub(crate) credentials: Arc<Credentials>,
    pub(crate) memory: Arc<Memory>,
    pub(crate) records: Arc<HubRecords>,
    pub(crate) mcp_sessions: Arc<McpSessions>,
    pub(crate) refused_extensions: Arc<RefusedExtensions>,
    /// How long a question waits for the user's answer.
    pub(crate) ask_time: Duration,
    pub(crate) port: u16,
    pub(crate) shutdown: CancellationToken,
    pub(crate) tabs_at_end: TabsAtEnd,
    /// Whatever the hub waits for when it stops.
    pub(crate) tasks: TaskTracker,
    /// Of extensions and agents that have shown who they are.
    sockets: Arc<Semaphore>,
    /// Those of them that agents have. Extensions need theirs.
    agent_sockets: Arc<Shares>,
}

impl Shared {
    /// Upgrades to a WebSocket that the hub waits for when it stops.
    fn upgrade<F>(
        &self,
        upgrade: WebSocketUpgrade,
        serve: impl FnOnce(WebSocket) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let tasks = self.tasks.clone();
        upgrade
            .max_message_size(MAX_FRAME_BYTES)
            .max_frame_size(MAX_FRAME_BYTES)
            .on_upgrade(move |socket| tasks.track_future(serve(socket)))
    }

    /// The one road, for every kind of caller.
    pub(crate) async fn call(&self, call: Call) -> CallReply {
        let caller = &call.caller;
        let desk = self.desk.clone();
        let _at_work = desk.sessions.at_work(&caller.session, &caller.client, &call.tool);
        self.road.run(call).await
    }
}

/// A running hub.
pub struct Hub {
    shared: Arc<Shared>,
    pairing_token: Token,
    agent_token: Token,
    is_first_run: bool,
    serving: tokio::task::JoinHandle<()>,
    tasks: TaskTracker,
}

/// The hub can't start.
#[derive(Debug, thiserror::Error)]
pub enum HubError {
    /// The folder.
    #[error(transparent)]
    Home(#[from] HomeError),
    /// Somebody else has the port.
    #[error(
        "port {port} of 127.0.0.1 is taken. If a hub of yours runs there, use it as it is; \
         otherwise choose another port with --port or OUTRIGGER_PORT"
    )]
    PortTaken {
        /// Which.
        port: u16,
    },
    /// Any other reason.
    #[error("port {port} of 127.0.0.1 can't be opened: {source}")]
    Bind {
        /// Which.
        port: u16,
        /// Why.
        source: io::Error,
    },
}

impl Hub {
    /// Binds and begins to serve. Port 0 takes a free one.
    pub async fn start(settings: &Settings) -> Result<Self, HubError> {
        // The port first: whoever has it is the hub, so no lock can go stale.
        let listener = bind(settings.port)?;
        let port = listener.local_addr().map_or(settings.port, |address| address.port());
        let home = settings.home.clone();
        home.prepare()?;
        let (pairing_token, is_first_run) = home.token(TokenKind::Pairing)?;
        let (agent_token, _) = home.token(TokenKind::Agent)?;

        let shutdown = CancellationToken::new();
        let tasks = TaskTracker::new();
        let desk = Arc::new(Desk::default());
        desk.set_hub_port(port);
        desk.allow_uploads(UploadRoots::below(settings.upload_roots.clone()));
        if settings.window == Window::Own {
            desk.sessions.give_own_windows();
        }
        let pairing = Arc::new(Pairing::new(home.clone()));
        let guard = Arc::new(Guard::default());
        let ask_time = Duration::from_secs(settings.ask_seconds);
        let memory = Memory::open(settings, guard.clone(), &desk, &tasks, shutdown.clone()).await;
        desk.keep_rules_in(Arc::new(UsersBook(memory.clone())));
        let consent = Arc::new(UserConsent {
            desk: desk.clone(),
            guard: guard.clone(),
            memory: memory.clone(),
            time: ask_time,
        });
        let credentials =
            Arc::new(Credentials::new(agent_token.clone(), home.clone(), memory.clone()));
        let servers =
            Servers { database: settings.database_url.clone(), bus: settings.nats_url.clone() };
        let records = Arc::new(HubRecords::new(
            short_hash(agent_token.reveal()),
            memory.clone(),
            guard.clone(),
            servers,
            shutdown.clone(),
        ));
        let tracking =
            Arc::new(PageTracking::new(records.clone(), guard.clone(), settings.page_hints));
        let of_tools: Arc<dyn RecordsHome> = Arc::new(RecordsOfTools {
            records: records.clone(),
            tracking: tracking.clone(),
            desk: desk.clone(),
        });
        let catalogue = Arc::new(catalogue::over(&desk, &of_tools));
        let heedful: Arc<dyn Heedful> = tracking.clone();
        memory.is_heeded_by(Arc::downgrade(&heedful));
        let sockets = Arc::new(Semaphore::new(MAX_SOCKETS));
        let links = ExtensionLinks::new(
            desk.clone(),
            catalogue.clone(),
            pairing.clone(),
            credentials.clone(),
            tracking.clone(),
            sockets.clone(),
            shutdown.clone(),
        );
        let rules = Arc::new(Rules {
            memory: memory.clone(),
            desk: desk.clone(),
            guard: guard.clone(),
            time: ask_time,
        });
        let shared = Arc::new(Shared {
            launcher: Launcher::new(settings, port, pairing.clone(), desk.clone()),
            road: Road::new(
                catalogue,
                guard.clone(),
                desk.sessions.clone(),
                consent,
                memory.clone(),
            ),
            guard,
            desk,
            agents: Arc::default(),
            credentials: credentials.clone(),
            memory,
            records: records.clone(),
            mcp_sessions: Arc::default(),
            refused_extensions: Arc::default(),
            ask_time,
            port,
            shutdown: shutdown.clone(),
            tabs_at_end: settings.tabs_at_end,
            tasks: tasks.clone(),
            sockets,
            agent_sockets: Shares::of(MAX_SOCKETS),
        });
        tasks.spawn(session_ends::end_idle(shared.clone(), settings.session_idle));
        let expired = shared.credentials.clone().end_expired();
        tasks.spawn(shared.shutdown.clone().run_until_cancelled_owned(expired));
        let actions = Actions { shared: shared.clone(), records: records.clone() };
        tasks.spawn(Arc::new(actions).run());
        let refused = shared.refused_extensions.clone();
        let places = places();
        let gate = Arc::new(Gate::new(port, credentials, home, refused, places));
        let logins = auth_session::routes(shared.credentials.clone(), pairing);
        let changing = tokens_api::routes(shared.clone())
            .merge(rules_api::routes(rules))
            .route_layer(axum::middleware::from_fn(tokens_api::administrators_only));
        let own = openapi::described(logins.merge(changing).merge(records_api::routes(records)));
        let router = router(&shared, Arc::new(links), gate, settings, own);
        let serving = tokio::spawn(accept(listener, places, router, shutdown, tasks.clone()));
        Ok(Hub { shared, pairing_token, agent_token, is_first_run, serving, tasks })
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.shared.port
    }

    /// What an extension shows.
    pub fn pairing_token(&self) -> &Token {
        &self.pairing_token
    }

    /// What an agent shows.
    pub fn agent_token(&self) -> &Token {
        &self.agent_token
    }

    /// Whether the pairing token was made just now.
    pub fn is_first_run(&self) -> bool {
        self.is_first_run
    }

    /// Launches a throw-away browser for whoever calls, until the hub stops.
    /// Returns once it is linked.
    pub async fn launch(&self, launch: Launch) -> Result<String, LaunchError> {
        let (shared, gone) = (self.shared.clone(), self.shared.shutdown.child_token());
        let (linked, is_linked) = tokio::sync::oneshot::channel();
        let running = self.tasks.spawn(async move {
            shared.launcher.run_and_tell(launch, None, gone, Some(linked)).await
        });
        match is_linked.await {
            Ok(link) => Ok(link),
            Err(_) => match running.await {
                Ok(Err(error)) => Err(error),
                _ => Err(LaunchError::Ended { last_words: String::new() }),
            },
        }
    }

    /// Expects a browser or peer that the caller starts itself and that has
    /// nothing to protect. The token serves one client, until the hub stops.
    pub fn expect_throw_away(&self, token: Token) {
        self.shared.launcher.expect_throw_away(token);
    }

    /// Waits until no agent has been connected for the time given.
    pub async fn idle_for(&self, time: Duration) {
        self.shared.agents.idle_for(time).await;
    }

    /// Stops: ends connections and launched browsers, and waits for them.
    pub async fn stop(self) {
        self.shared.shutdown.cancel();
        self.tasks.close();
        let _ = self.serving.await;
        if tokio::time::timeout(FAREWELL, self.tasks.wait()).await.is_err() {
            tracing::warn!("some connections did not end in time");
        }
        // Has limits of its own: a profile that is half gone would stay for good.
        self.shared.launcher.wait().await;
    }
}

fn bind(port: u16) -> Result<TcpListener, HubError> {
    listen(port).map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => HubError::PortTaken { port },
        _ => HubError::Bind { port, source },
    })
}

fn router(
    shared: &Arc<Shared>,
    links: Arc<ExtensionLinks>,
    gate: Arc<Gate>,
    settings: &Settings,
    own: Router,
) -> Router {
    let state = (shared.clone(), links);
    let sessions = shared.mcp_sessions.clone();
    let mcp = mcp::http_service(shared.clone(), &settings.tools, sessions.manager.clone());
    let mcp = Router::new()
        .nest_service("/mcp", mcp)
        .layer(axum::middleware::from_fn_with_state(sessions, mcp_sessions::keep));
    Router::new()
        .route("/extension", any(extension))
        .route("/", any(extension))
        .with_state(state)
        .route("/agent", any(agent).with_state(shared.clone()))
        .route("/health", get(health))
        .merge(mcp)
        // The gate has read and bounded every body, and says in words what is too large.
        .merge(own.layer(DefaultBodyLimit::disable()))
        .method_not_allowed_fallback(other_method)
        .fallback(nothing_here)
        .layer(axum::middleware::from_fn_with_state(gate, gate::check))
}

async fn extension(
    State((shared, links)): State<(Arc<Shared>, Arc<ExtensionLinks>)>,
    Extension(sender): Extension<Sender>,
    request: Request,
) -> Response {
    let (mut parts, _) = request.into_parts();
    match WebSocketUpgrade::from_request_parts(&mut parts, &()).await {
        Ok(upgrade) => shared.upgrade(upgrade, move |socket| async move {
            links.serve(socket, sender).await;
        }),
        Err(_) => (
            StatusCode::UPGRADE_REQUIRED,
            "Outrigger's hub. Extensions link here with a WebSocket; agents use /mcp.\n",
        )
            .into_response(),
    }
}

async fn agent(
    State(shared): State<Arc<Shared>>,
    Extension(sender): Extension<Sender>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let Some(credential) = sender.credential else {
        // The gate lets nobody here without one.
        return StatusCode::UNAUTHORIZED.into_response();
    };
    let Some(share) = shared.agent_sockets.take(&credential.holder) else {
        return too_many_sockets();
    };
    let Ok(place) = shared.sockets.clone().try_acquire_owned() else {
        return too_many_sockets();
    };
    let serving = shared.clone();
    shared.upgrade(upgrade, move |socket| async move {
        agent_link::serve(serving, credential, socket).await;
        drop((share, place));
    })
}

fn too_many_sockets() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "Too many connections are open.\n").into_response()
}

async fn other_method() -> Response {
    let error = "This can't be done here. The Allow header says what can.";
    (StatusCode::METHOD_NOT_ALLOWED, Json(Problem::new("other_method", error))).into_response()
}

async fn nothing_here() -> Response {
    let error = "There is nothing here. /api/v1/openapi.json says what there is.";
    (StatusCode::NOT_FOUND, Json(Problem::new("nothing_here", error))).into_response()
}

async fn health() -> Json<serde_json::Value> {
    Json(json!({"name": "outrigger", "version": env!("CARGO_PKG_VERSION"), "status": "ok"}))
}
