//! Calls that a call makes. Each goes the whole road by itself, as the same caller,
//! with a decision and a log entry of its own, and within the time of the whole.

use std::sync::Arc;

use serde_json::{Map, Value};
use tokio::time::Instant;

use crate::arguments::LONGEST;
use crate::consent::CallTime;
use crate::fault::Fault;
use crate::notices::Notices;
use crate::reply::Reply;
use crate::road::{Call, DEFAULT_TIMEOUT, Road};
use crate::tool::{Caller, Common};

/// One call of another tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The tool.
    pub tool: &'static str,
    /// Its own arguments; those that every tool takes are added.
    pub arguments: Map<String, Value>,
}

/// The way down the road for whatever a call makes of others.
#[derive(Clone)]
pub struct Calls {
    pub(crate) road: Road,
    pub(crate) caller: Caller,
    pub(crate) common: Common,
    pub(crate) notices: Notices,
    /// One for all: while the user is asked about a step, the whole waits.
    pub(crate) time: Arc<CallTime>,
    pub(crate) begun: Instant,
}

impl Calls {
    /// Runs one to its end.
    pub async fn run(&self, Step { tool, mut arguments }: Step) -> Result<Reply, Fault> {
        arguments.extend(self.common.tab.map(|tab| ("tab".to_owned(), Value::from(tab))));
        let browser = self.common.browser.clone();
        arguments.extend(browser.map(|browser| ("browser".to_owned(), Value::from(browser))));
        let call = Call {
            tool: tool.to_owned(),
            arguments: Value::Object(arguments),
            caller: self.caller.clone(),
            notices: self.notices.clone(),
        };
        self.road.run_within(call, self.time.clone()).await
    }

    /// Gives what comes next as long as any call has by itself, if the caller did not
    /// say how long the whole may take; no more than a call can ask for in all.
    pub fn take_time(&self) {
        if self.common.timeout.is_none() {
            let latest = self.begun + LONGEST;
            self.time.set((Instant::now() + DEFAULT_TIMEOUT).min(latest));
        }
    }

    /// Gives what comes next all the time that a call can ask for, if the caller did
    /// not say how long: people take their time.
    pub fn take_all_time(&self) {
        if self.common.timeout.is_none() {
            self.time.set(self.begun + LONGEST);
        }
    }

    /// Tells the caller how far it is, in words of ours.
    pub fn tell(&self, words: &str) {
        self.notices.tell(words);
    }
}
