//! The hub: one server on loopback that browsers link to and agents call.
//!
//! Only this crate knows axum and rmcp. It owns the routes and who may use them
//! ([`gate`]), the extension link ([`extension_link`]), the agent link
//! ([`agent_link`], [`agent_client`]), MCP ([`mcp`]), credentials ([`home`]), what
//! the user decided beforehand ([`rules`], over HTTP in [`rules_api`]),
//! and the browsers it launches ([`launch`]). What a browser starts to link by is here
//! too ([`native_host`]). What a call does is decided and
//! done elsewhere: everything goes down the one road of `outrigger-dispatch`.

pub mod agent_client;
mod agent_link;
pub mod api_client;
mod auth_session;
pub mod catalogue;
mod change_log;
mod consent;
mod credentials;
mod doorstep;
pub mod extension_files;
mod extension_link;
mod extension_requests;
pub mod following;
mod gate;
pub mod home;
pub mod launch;
mod listening;
mod lockout;
mod log_keeper;
pub mod mcp;
mod mcp_sessions;
mod memory;
pub mod native_host;
mod openapi;
mod pairing;
mod port_owner;
mod problem;
pub mod reach;
mod records;
mod refusal;
mod refused_extensions;
mod request_head;
mod rule_book;
mod rules;
mod rules_api;
mod server;
pub mod server_address;
mod session_ends;
pub mod settings;
mod shares;
mod short_hash;
mod status;
mod tokens_api;
pub mod tour;

pub use home::{Home, HomeError};
pub use server::{Hub, HubError};
pub use settings::Settings;
