//! What the owner of a record says of who wrote it: whose the credential was, and for
//! which agent. An agent's name is anybody's to use who may write, so it never stands
//! for a credential.

/// Whoever has the files of this machine's user.
pub const MACHINE: &str = "machine token";

const AGENT: &str = "agent:";
const OF: &str = " of ";

/// The owner of what somebody writes for an agent. The machine's own needs no name
/// beside the agent's.
pub(crate) fn owner_for_agent(agent_id: &str, holder: &str) -> String {
    if holder == MACHINE {
        return format!("{AGENT}{agent_id}");
    }
    format!("{AGENT}{agent_id}{OF}{holder}")
}

/// Whose credential an owner was written with, and for which agent.
pub fn holder_and_agent(owner: &str) -> (&str, Option<&str>) {
    let Some(agent) = owner.strip_prefix(AGENT) else { return (owner, None) };
    match agent.split_once(OF) {
        Some((agent_id, holder)) => (holder, Some(agent_id)),
        None => (MACHINE, Some(agent)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_owner_names_the_credential_and_the_agent() {
        for (holder, owner) in [(MACHINE, "agent:tea"), ("token 3", "agent:tea of token 3")] {
            assert_eq!(owner_for_agent("tea", holder), owner);
            assert_eq!(holder_and_agent(owner), (holder, Some("tea")));
        }
        assert_eq!(holder_and_agent("token 3"), ("token 3", None));
    }
}
