//! Whose a row is.

/// A user in a workspace. Nothing in the store is seen or changed by another one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Owner {
    /// Who.
    pub user: String,
    /// In which workspace.
    pub workspace: String,
}

impl Owner {
    /// The one owner on a machine without accounts.
    pub fn local() -> Self {
        Owner { user: "local".into(), workspace: "default".into() }
    }
}
