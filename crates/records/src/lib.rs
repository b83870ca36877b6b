//! Living records: what agents and people read and write at the same time, and follow
//! without asking again and again.
//!
//! [`Records`] is the way to all of them. It decides which are kept in memory alone,
//! sets deadlines, and tells [`Subscription`]s of every change. What a record may be
//! and how it is kept is the store's business; who may do what, that of whoever
//! calls. Which records wake which [`agents`] is kept with them. What a model is shown of
//! one ([`view`]), what its context must look like ([`schemas`]), what kind of page it
//! is about ([`classify`]), what is worth saying about that unasked ([`hints`]), which
//! call an action asks for ([`action`]) and which calls a workflow stands for
//! ([`workflow`]) are functions of what they are given.
//!
//! ```text
//! let records = Records::start(store, bus, Settings::default()).await?;
//! let mut following = records.subscribe(&owner, selectors, After::Now).await?;
//! let record = records.create(&owner, draft).await?;
//! records.change(&owner, &record.id, record.version, change, History::Off).await?;
//! while let Some(delivery) = following.next().await? { … }
//! ```

pub mod action;
pub mod agents;
pub mod authors;
pub mod classify;
mod error;
mod fan_out;
mod follow;
pub mod hints;
mod position;
pub mod schemas;
mod search;
mod service;
mod subscription;
pub mod tools;
pub mod view;
mod withheld;
pub mod workflow;
mod writing;

pub use error::RecordsError;
pub use outrigger_store::records::{Change, Patch, matching};
pub use position::Position;
pub use search::{Found, FoundFrom, Search};
pub use service::{Draft, History, Records, Settings};
pub use subscription::{After, Delivery, Subscription};
pub use writing::{NewContents, Writer};
