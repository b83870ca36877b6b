//! The store: what outlives the hub. What the user decided ([`permissions`]), which
//! sites the user trusts ([`trust`]), what was done ([`activity`]), who may
//! talk to the hub ([`tokens`], [`extension_sessions`]), and living records
//! ([`records`]). Every row has an [`Owner`].
//!
//! It keeps and hands out; what follows from it, the guard and the hub decide. No
//! content of a page and no token is ever in its files. SQL is here and nowhere else, that
//! of a table in the module of that table. Time comes in as an argument, in
//! milliseconds since the epoch, and is judged in `clock.rs` alone.

pub mod activity;
mod chain;
mod clock;
pub mod error;
pub mod extension_sessions;
mod migrations;
mod owner;
pub mod permissions;
pub mod records;
mod secret;
mod store;
pub mod tokens;
pub mod trust;

pub use error::StoreError;
pub use owner::Owner;
pub use secret::Secret;
pub use store::Store;
