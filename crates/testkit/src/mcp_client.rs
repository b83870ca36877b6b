//! An MCP client over HTTP or a child's standard input and output.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use http::header::AUTHORIZATION;
use rmcp::handler::client::ClientHandler;
use rmcp::model::{
    CallToolRequestParams, ContentBlock, ProgressNotificationParam, ProtocolVersion,
    ReadResourceRequestParams, ResourceContents, ResourceUpdatedNotificationParam,
    ServerNotification, SubscribeRequestParams, SubscriptionFilter, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{
    ClientLifecycleMode, ClientServiceExt as _, NotificationContext, RoleClient, RunningService,
    ServiceExt as _, Subscription,
};
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use serde_json::Value;
use tokio::process::Command;

/// A connected client.
pub struct McpClient {
    service: RunningService<RoleClient, Listener>,
    listener: Listener,
}

#[derive(Clone, Default)]
struct Listener {
    tool_list_changes: Arc<AtomicUsize>,
    progress: Arc<Mutex<Vec<String>>>,
    updated: Arc<Mutex<Vec<String>>>,
}

impl ClientHandler for Listener {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tool_list_changes.fetch_add(1, Ordering::SeqCst);
    }

    async fn on_resource_updated(
        &self,
        about: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.updated.lock().unwrap_or_else(PoisonError::into_inner).push(about.uri);
    }

    async fn on_progress(
        &self,
        progress: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let mut heard = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push(progress.message.unwrap_or_default());
    }
}

/// What a client without a session is told.
pub struct Listening(Subscription);

impl Listening {
    /// The addresses that it is told of.
    pub fn accepted(&self) -> Vec<String> {
        self.0.acknowledged().resource_subscriptions.clone().unwrap_or_default()
    }

    /// The next address at which something changed; none when that is over.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            let told = self.0.next().await.ok().flatten()?;
            if let ServerNotification::ResourceUpdatedNotification(about) = told {
                return Some(about.params.uri);
            }
        }
    }
}

/// What a call gave.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The text pieces, one after the other.
    pub text: String,
    /// The first picture.
    pub picture: Option<Vec<u8>>,
    /// The first file.
    pub file: Option<Vec<u8>>,
    /// Whether the call failed.
    pub failed: bool,
    /// Its stable code, if it did.
    pub code: Option<String>,
}

impl McpClient {
    /// Connects to a hub.
    pub async fn http(port: u16, token: &str) -> Self {
        Self::http_of(ClientLifecycleMode::Initialize, port, token).await
    }

    /// The same in the era without sessions.
    pub async fn http_without_session(port: u16, token: &str) -> Self {
        let preferred_versions = vec![ProtocolVersion::LATEST];
        let lifecycle = ClientLifecycleMode::Discover { preferred_versions };
        Self::http_of(lifecycle, port, token).await
    }

    async fn http_of(lifecycle: ClientLifecycleMode, port: u16, token: &str) -> Self {
        let bearer = format!("Bearer {token}").parse().expect("a header value");
        let config =
            StreamableHttpClientTransportConfig::with_uri(format!("http://127.0.0.1:{port}/mcp"))
                .custom_headers(HashMap::from([(AUTHORIZATION, bearer)]));
        let transport = StreamableHttpClientTransport::from_config(config);
        let listener = Listener::default();
        let service = listener.clone().serve_with_lifecycle(transport, lifecycle).await;
        McpClient { service: service.expect("the hub speaks MCP"), listener }
    }

    /// Runs a program that speaks MCP.
    pub async fn stdio(command: Command) -> Self {
        let transport = TokioChildProcess::new(command).expect("the program runs");
        let listener = Listener::default();
        let service = listener.clone().serve(transport).await.expect("the program speaks MCP");
        McpClient { service, listener }
    }

    /// Calls a tool.
    pub async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.try_call(tool, arguments).await.expect("the server answers the call")
    }

    /// Calls a tool that must succeed, and gives its text.
    pub async fn ok(&self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments).await;
        assert!(!answer.failed, "{tool} failed: {}", answer.text);
        answer.text
    }

    /// Calls a tool that must fail with this code, and gives its sentence.
    pub async fn refused(&self, tool: &str, arguments: Value, code: &str) -> String {
        let answer = self.call(tool, arguments).await;
        assert_eq!(answer.code.as_deref(), Some(code), "{tool} said: {}", answer.text);
        assert!(answer.text.starts_with(&format!("{code}: ")), "{}", answer.text);
        answer.text
    }

    /// Calls a tool; an error is one of the protocol, not of the tool.
    pub async fn try_call(
        &self,
        tool: &str,
        arguments: Value,
    ) -> Result<Answer, rmcp::ServiceError> {
        let mut params = CallToolRequestParams::new(tool.to_owned());
        if let Value::Object(arguments) = arguments {
            params = params.with_arguments(arguments);
        }
        let result = self.service.call_tool(params).await?;
        let mut texts = Vec::new();
        let (mut picture, mut file) = (None, None);
        let decode = |data: &str| base64::engine::general_purpose::STANDARD.decode(data).ok();
        for block in result.content {
            match block {
                ContentBlock::Text(text) => texts.push(text.text),
                ContentBlock::Image(image) => {
                    picture = picture.or_else(|| decode(&image.data));
                }
                ContentBlock::Resource(held) => {
                    if let ResourceContents::BlobResourceContents { blob, .. } = held.resource {
                        file = file.or_else(|| decode(&blob));
                    }
                }
                _ => {}
            }
        }
        let code = result.meta.as_ref().and_then(|meta| meta.get("outrigger/code")?.as_str());
        Ok(Answer {
            text: texts.join("\n"),
            picture,
            file,
            failed: result.is_error == Some(true),
            code: code.map(str::to_owned),
        })
    }

    /// The addresses of the resources that are listed, and of the templates.
    pub async fn resources(&self) -> Vec<String> {
        let listed = self.service.list_all_resources().await.expect("the server lists resources");
        let templates = self.service.list_all_resource_templates().await.expect("and templates");
        let listed = listed.into_iter().map(|resource| resource.uri);
        listed.chain(templates.into_iter().map(|template| template.uri_template)).collect()
    }

    /// The text at an address; an error is one of the protocol.
    pub async fn read(&self, address: &str) -> Result<String, rmcp::ServiceError> {
        let read = self.service.read_resource(ReadResourceRequestParams::new(address)).await?;
        let texts = read.contents.into_iter().filter_map(|contents| match contents {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        });
        Ok(texts.collect())
    }

    /// Wants to be told of changes there, as clients with a session do.
    #[allow(deprecated)]
    pub async fn subscribe(&self, address: &str) -> Result<(), rmcp::ServiceError> {
        self.service.subscribe(SubscribeRequestParams::new(address)).await
    }

    /// Wants that no more.
    #[allow(deprecated)]
    pub async fn unsubscribe(&self, address: &str) -> Result<(), rmcp::ServiceError> {
        self.service.unsubscribe(UnsubscribeRequestParams::new(address)).await
    }

    /// The addresses at which something changed, since this was last asked.
    pub fn updates(&self) -> Vec<String> {
        std::mem::take(&mut *self.listener.updated.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Listens for changes there, as clients without a session do.
    pub async fn listen(&self, addresses: &[&str]) -> Listening {
        let filter = SubscriptionFilter::builder().resource_subscriptions(addresses.to_vec());
        Listening(self.service.listen(filter.build()).await.expect("the server lets it listen"))
    }

    /// The listed tools.
    pub async fn tools(&self) -> Vec<Tool> {
        self.service.list_all_tools().await.expect("the server lists its tools")
    }

    /// The server's instructions.
    pub fn instructions(&self) -> String {
        let info = self.service.peer_info();
        info.and_then(|info| info.instructions.clone()).unwrap_or_default()
    }

    /// How often the server said that the list of tools changed.
    pub fn tool_list_changes(&self) -> usize {
        self.listener.tool_list_changes.load(Ordering::SeqCst)
    }

    /// What the server said of calls under way, since this was last asked.
    pub fn progress(&self) -> Vec<String> {
        std::mem::take(&mut *self.listener.progress.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Goes, and waits until the connection is closed.
    pub async fn leave(self) {
        self.service.cancel().await.expect("the client leaves");
    }
}
