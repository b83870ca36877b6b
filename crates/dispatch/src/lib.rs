//! The road every call takes, whoever made it: receive, authorize, execute,
//! render, log ([`road`], [`journal`]). Crates above register their tools into one
//! [`catalogue`]; a tool is one definition and two steps ([`tool`]).
//!
//! An [`Authorized`] call is a type that only a [`Grant`](outrigger_guard::Grant)
//! can make, and a grant only the guard: nothing executes unseen.

pub mod arguments;
pub mod calls;
pub mod catalogue;
pub mod consent;
pub mod fault;
mod gaps;
pub mod helm;
pub mod journal;
pub mod notices;
mod profile;
pub mod reply;
pub mod road;
pub mod schema;
pub mod sequence;
pub mod tool;
pub mod witness;

pub use calls::{Calls, Step};
pub use catalogue::Catalogue;
pub use consent::{Consent, PlanStanding, Shown};
pub use fault::Fault;
pub use helm::Helm;
pub use journal::Journal;
pub use notices::Notices;
pub use profile::{ToolProfile, UnknownTools};
pub use reply::{Part, Reply};
pub use road::{Call, Road};
pub use sequence::Sequence;
pub use tool::{Aim, Authorized, Caller, Common, Definition, Family, Leave, Tool, ToolSet};
pub use witness::{Deed, Sight, Witness};
