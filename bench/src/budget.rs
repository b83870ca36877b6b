//! Owns the budgets: what Outrigger may cost, by itself or against its peers, and whether a value keeps to it.

use serde::Serialize;

use crate::{
    servers::Server,
    statistics::{best, ratio},
};

/// One value for each server, in the order of [`Server::ALL`].
pub(crate) type Values = [Option<f64>; Server::ALL.len()];

/// What a value of Outrigger may be at most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Budget {
    /// Shown for information.
    None,
    /// An amount in the row's own unit.
    AtMost(f64),
    /// A part of what the best of all peers takes.
    OfBest(f64),
    /// A part of what the better of the two peers on Node takes: the budget was set against those two.
    OfNode(f64),
}

/// How a value stands to its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Verdict {
    /// There is no budget.
    None,
    /// There is a budget, but Outrigger or the peers it is set against weren't measured.
    Unknown,
    /// Within the budget.
    Ok,
    /// Over it.
    Over,
}

/// Outrigger against the best of all peers.
pub(crate) fn against_best(values: &Values) -> Option<f64> {
    against(values, |server| server != Server::Outrigger)
}

/// Outrigger against the better of the two peers that run on Node.
pub(crate) fn against_node(values: &Values) -> Option<f64> {
    against(values, |server| matches!(server, Server::Playwright | Server::ChromeDevtools))
}

impl Budget {
    /// Judges Outrigger's value.
    pub(crate) fn judge(self, values: &Values) -> Verdict {
        let (value, limit) = match self {
            Self::None => return Verdict::None,
            Self::AtMost(limit) => (values[0], limit),
            Self::OfBest(limit) => (against_best(values), limit),
            Self::OfNode(limit) => (against_node(values), limit),
        };
        match value {
            None => Verdict::Unknown,
            Some(value) if value <= limit => Verdict::Ok,
            Some(_) => Verdict::Over,
        }
    }
}

fn against(values: &Values, is_peer: impl Fn(Server) -> bool) -> Option<f64> {
    let peers = Server::ALL.into_iter().zip(values).filter(|(server, _)| is_peer(*server));
    ratio(values[0], best(peers.map(|(_, value)| *value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_native_peer_counts_for_the_best_and_not_for_node() {
        let values = [Some(6.0), Some(300.0), Some(600.0), Some(12.0)];
        assert_eq!(against_best(&values), Some(0.5));
        assert_eq!(against_node(&values), Some(0.02));
        assert_eq!(Budget::OfNode(0.1).judge(&values), Verdict::Ok);
        assert_eq!(Budget::OfBest(0.1).judge(&values), Verdict::Over);
    }

    #[test]
    fn an_amount_is_judged_without_peers() {
        let values = [Some(26.0), None, None, None];
        assert_eq!(Budget::AtMost(25.0).judge(&values), Verdict::Over);
        assert_eq!(Budget::AtMost(26.0).judge(&values), Verdict::Ok);
    }

    #[test]
    fn what_was_not_measured_is_neither_kept_nor_broken() {
        assert_eq!(Budget::OfBest(0.5).judge(&[Some(1.0), None, None, None]), Verdict::Unknown);
        assert_eq!(Budget::AtMost(1.0).judge(&[None, Some(1.0), None, None]), Verdict::Unknown);
        assert_eq!(Budget::None.judge(&[Some(1.0), None, None, None]), Verdict::None);
    }
}
