//! Agents that answer each other come to an end. What an agent writes carries, in a tag
//! that only the hub sets, who wrote it and how many hops it is from a record that no
//! agent wrote: one more than the deepest record which that agent had in hand. An agent
//! gets nothing of its own, nothing beyond so many hops, and from agents only so much in
//! a minute.
//!
//! So every chain of answers ends: each link of it has one hop more than the one before,
//! for what an agent answers to is what it has in hand.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use outrigger_protocol::records::RecordId;
use tokio::time::Instant;

use crate::position::{Position, Source};

/// Hops beyond which nothing is handed out to an agent.
pub(crate) const DEEPEST: u32 = 8;

/// Records of agents that one agent gets in a minute.
const MOST_A_MINUTE: usize = 60;
const MINUTE_MS: i64 = 60_000;

/// How long an agent has something in hand: after it said that it is done with it, and
/// if it never does. It may say so before it answers.
const IN_HAND_AFTER: Duration = Duration::from_secs(60);
const IN_HAND: Duration = Duration::from_secs(600);

/// What the tag begins with.
const PREFIX: &str = "hops:";

/// Which agent wrote a record last, and how far from what no agent wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trail {
    pub(crate) hops: u32,
    pub(crate) agent: String,
}

impl Trail {
    /// None of a record that no agent wrote last.
    pub(crate) fn of(tags: &[String]) -> Option<Self> {
        let said = tags.iter().find_map(|tag| tag.strip_prefix(PREFIX))?;
        let (hops, agent) = said.split_once(':')?;
        Some(Trail { hops: hops.parse().ok()?, agent: agent.to_owned() })
    }

    pub(crate) fn tag(&self) -> String {
        format!("{PREFIX}{}:{}", self.hops, self.agent)
    }
}

/// Whether a tag is for the hub alone to set.
pub(crate) fn is_reserved(tag: &str) -> bool {
    tag.starts_with(PREFIX)
}

/// What agents have in hand, by the records that define them.
#[derive(Debug, Default)]
pub(crate) struct Doings(HashMap<RecordId, Doing>);

#[derive(Debug, Default)]
struct Doing {
    /// By source and hops: the last event of that kind, and until when it counts.
    in_hand: HashMap<(Source, u32), (u64, Option<Instant>)>,
    /// The last records of agents that were handed out: where they are, and of when.
    from_agents: VecDeque<(Source, u64, i64)>,
}

impl Doings {
    /// An agent has this in hand from now on.
    pub(crate) fn handed_out(&mut self, agent: &RecordId, source: Source, seq: u64, hops: u32) {
        let doing = self.0.entry(agent.clone()).or_default();
        let until = Instant::now().checked_add(IN_HAND);
        let known = doing.in_hand.entry((source, hops)).or_insert((seq, until));
        *known = (known.0.max(seq), until);
    }

    /// An agent is done with all up to there.
    pub(crate) fn acknowledged(&mut self, agent: &RecordId, position: &Position) {
        let Some(doing) = self.0.get_mut(agent) else { return };
        let soon = Instant::now().checked_add(IN_HAND_AFTER);
        for ((source, _), (seq, until)) in &mut doing.in_hand {
            if *seq <= position.of(*source).seq {
                *until = (*until).min(soon);
            }
        }
    }

    /// There is no such agent any more.
    pub(crate) fn forget(&mut self, agent: &RecordId) {
        self.0.remove(agent);
    }

    /// How many hops a record has that the agent writes now.
    pub(crate) fn hops_of_next(&mut self, agent: &RecordId) -> u32 {
        let Some(doing) = self.0.get_mut(agent) else { return 1 };
        let now = Instant::now();
        doing.in_hand.retain(|_, (_, until)| until.is_none_or(|until| until > now));
        doing.in_hand.keys().map(|(_, hops)| hops + 1).max().unwrap_or(1)
    }

    /// Whether an agent may get one more record of an agent, which was written then. The
    /// same one is the same again.
    pub(crate) fn takes(&mut self, agent: &RecordId, source: Source, seq: u64, at: i64) -> bool {
        let known = &mut self.0.entry(agent.clone()).or_default().from_agents;
        if known.iter().any(|(of, one, _)| (*of, *one) == (source, seq)) {
            return true;
        }
        let before = known.iter().filter(|(.., then)| at - MINUTE_MS < *then && *then <= at);
        if before.count() >= MOST_A_MINUTE {
            return false;
        }
        if known.len() >= MOST_A_MINUTE {
            known.pop_front();
        }
        known.push_back((source, seq, at));
        true
    }
}

#[cfg(test)]
mod tests {
    use outrigger_store::records::Place;

    use super::*;

    fn position(seq: u64) -> Position {
        let place = |seq| Place { life: "l".into(), seq };
        Position { durable: place(seq), volatile: place(0) }
    }

    #[test]
    fn a_trail_is_read_as_it_was_written_and_nothing_else_is_one() {
        let trail = Trail { hops: 3, agent: "page-assistant".into() };
        assert_eq!(Trail::of(&["tea".into(), trail.tag()]), Some(trail.clone()));
        assert!(is_reserved(&trail.tag()) && !is_reserved("hop:3"));
        for tags in [vec![], vec!["tea".to_owned()], vec!["hops:x:a".to_owned()]] {
            assert_eq!(Trail::of(&tags), None);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_is_one_hop_further_than_the_deepest_record_in_hand() {
        let (mut doings, agent) = (Doings::default(), RecordId::of_bits(1));
        assert_eq!(doings.hops_of_next(&agent), 1);
        doings.handed_out(&agent, Source::Durable, 5, 3);
        doings.handed_out(&agent, Source::Durable, 6, 0);
        assert_eq!(doings.hops_of_next(&agent), 4);
        // Whoever acknowledges first and answers then gains nothing by it.
        doings.acknowledged(&agent, &position(6));
        assert_eq!(doings.hops_of_next(&agent), 4);
        tokio::time::advance(IN_HAND_AFTER).await;
        assert_eq!(doings.hops_of_next(&agent), 1);
        doings.handed_out(&agent, Source::Durable, 7, 2);
        doings.acknowledged(&agent, &position(6));
        tokio::time::advance(IN_HAND - Duration::from_secs(1)).await;
        assert_eq!(doings.hops_of_next(&agent), 3);
        tokio::time::advance(Duration::from_secs(1)).await;
        assert_eq!(doings.hops_of_next(&agent), 1);
    }

    #[tokio::test]
    async fn one_agent_gets_so_many_records_of_agents_in_a_minute_and_each_again() {
        let (mut doings, agent) = (Doings::default(), RecordId::of_bits(1));
        let most = MOST_A_MINUTE as u64;
        for seq in 0..most {
            assert!(doings.takes(&agent, Source::Durable, seq, 1_000 + seq as i64));
        }
        assert!(!doings.takes(&agent, Source::Durable, most, 2_000));
        assert!(doings.takes(&agent, Source::Durable, 3, 1_003), "it was handed out before");
        assert!(doings.takes(&RecordId::of_bits(2), Source::Durable, most, 2_000));
        assert!(doings.takes(&agent, Source::Durable, most + 1, 1_000 + MINUTE_MS));
        assert!(!doings.takes(&agent, Source::Durable, most + 2, 1_000 + MINUTE_MS));
    }
}
