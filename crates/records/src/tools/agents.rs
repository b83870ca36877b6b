//! `agent_next`: what an agent gets next, for whoever serves it over MCP.

use std::sync::Arc;
use std::time::Duration;

use outrigger_dispatch::arguments::invalid;
use outrigger_dispatch::tool::Circumstances;
use outrigger_dispatch::{Aim, Authorized, Definition, Family, Fault, Reply, Tool, ToolSet};
use outrigger_guard::PermissionKey;
use outrigger_protocol::link::RiskLevel;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::{Instant, timeout_at};

use super::reading::whole;
use super::{RecordsHome, aim_at_records};
use crate::agents::{Acknowledged, Cut, Handed, Why};

/// How long is waited for something to come.
const WAIT: Duration = Duration::from_secs(20);
const LONGEST: Duration = Duration::from_secs(600);

/// Kept of the call's time to say that nothing came.
const MARGIN: Duration = Duration::from_millis(500);

/// Records that were not handed out, in one reply.
const MOST_CUT: usize = 10;

/// `agent_next`.
pub(super) struct AgentNext(pub(super) Arc<dyn RecordsHome>);

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AgentNextParams {
    agent_id: String,
    /// The position of the last item, once it is dealt with; `now` leaves out all that waits.
    ack: Option<String>,
    /// How long to wait for an item; default 20000.
    wait_ms: Option<u64>,
}

impl Tool for AgentNext {
    type Params = AgentNextParams;
    type Target = ();

    fn definition(&self) -> Definition {
        Definition::of::<AgentNextParams>(
            "agent_next",
            "Serve an agent (a record of agent.def.v1): wait for the next record that it listens \
             to. Deal with it, write answers by record_put with `agent`, then call again with its \
             position as `ack`.",
            RiskLevel::Act,
            ToolSet::Full(Family::Records),
        )
    }

    async fn aim(&self, _: &AgentNextParams, _: &Circumstances) -> Result<Aim<()>, Fault> {
        Ok(aim_at_records(PermissionKey::ReadRecords))
    }

    async fn execute(&self, call: Authorized<AgentNextParams, ()>) -> Result<Reply, Fault> {
        let AgentNextParams { agent_id, ack, wait_ms } = &call.params;
        let (records, owner) = (self.0.records().await?, self.0.owner());
        let acknowledged = match ack.as_deref() {
            None => None,
            Some("now") => Some(Acknowledged::All),
            Some(place) => Some(Acknowledged::Until(place.parse().map_err(|_| {
                let problem = "`ack`: it is no position that was told with an item".to_owned();
                invalid(&self.definition(), problem)
            })?)),
        };
        if let Some(acknowledged) = acknowledged {
            records.acknowledge(owner, agent_id, acknowledged).await?;
        }
        let mut queue = records.serve_agent(owner, agent_id, None).await?;
        let wait = wait_ms.map_or(WAIT, Duration::from_millis).min(LONGEST);
        let until = (Instant::now() + wait).min(call.circumstances.deadline - MARGIN);
        let mut cut = Vec::new();
        while cut.len() < MOST_CUT {
            let handed = timeout_at(until, queue.next()).await;
            self.0.may_be_read()?;
            match handed {
                Ok(Ok(Some(Handed::Item { record, position }))) => {
                    let said =
                        format!("{}The next item; its position is {position}.", in_words(&cut));
                    return Ok(Reply::said(said).then(whole(*record)));
                }
                Ok(Ok(Some(Handed::Cut(one)))) => cut.push(one),
                Ok(Ok(None)) => {
                    let said = format!("{}There is no agent {agent_id} any more.", in_words(&cut));
                    return Ok(Reply::said(said));
                }
                Ok(Err(error)) => return Err(error.into()),
                Err(_) => break,
            }
        }
        queue.settle().await?;
        Ok(Reply::said(format!("{}Nothing waits for it. Call again.", in_words(&cut))))
    }
}

fn in_words(cut: &[Cut]) -> String {
    let lines = cut.iter().map(|Cut { id, hops, why, .. }| {
        let why = match why {
            Why::Depth => format!("it is {hops} hops from a record that no agent wrote"),
            Why::Rate => "agents wrote too much within a minute".to_owned(),
        };
        format!("Record {id} was not handed out: {why}.\n")
    });
    lines.collect()
}
