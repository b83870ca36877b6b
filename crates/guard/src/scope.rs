//! What a credential is good for, whatever the user allows beside it.

/// What whoever shows a credential may do. The greater includes the lesser.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Looking.
    Read,
    /// Acting.
    Act,
    /// Everything, settings and tokens included.
    Admin,
}

impl Scope {
    /// All of them.
    pub const ALL: [Scope; 3] = [Scope::Read, Scope::Act, Scope::Admin];

    /// As it is written on the wire and in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Act => "act",
            Scope::Admin => "admin",
        }
    }

    /// Back from that.
    pub fn parse(text: &str) -> Option<Self> {
        Scope::ALL.into_iter().find(|scope| scope.as_str() == text)
    }
}
