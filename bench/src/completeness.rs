//! Owns the question what is missing: which things that a person sees on a page can't be got at through Outrigger's
//! snapshots, although a peer names them, or although they are on the first screen. Compares texts that were taken
//! before; asks no server.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::{
    generated,
    our_snapshot::{OurSnapshot, Reached},
    peer_snapshot::{self, Said},
    samples::{PageSamples, Samples},
    servers::Server,
    visible::Visible,
    yardstick::{SeenControl, Sight},
};

/// What was found out about one page.
#[derive(Debug, Default, Serialize)]
pub(crate) struct PageFindings {
    pub(crate) page: String,
    /// How many controls are on the first screen.
    pub(crate) in_view: usize,
    /// Of these, the ones that stand in the default look itself, and not behind one of its handles.
    pub(crate) in_view_in_look: usize,
    /// Of these, the ones without any name, which can't be looked for.
    pub(crate) in_view_nameless: usize,
    /// Of these, the ones that neither the default look nor its handles hold.
    pub(crate) in_view_left_out: Vec<SeenControl>,
    /// Visible things that the snapshot of the whole page has, and neither the default look nor its handles.
    pub(crate) beyond_outline: Vec<String>,
    /// How many things each peer names that a person sees, and which of them are out of Outrigger's reach.
    pub(crate) peers: Vec<PeerFindings>,
    /// What a person sees, whether a peer names it or not, and is out of reach.
    pub(crate) unreached_of_page: Vec<String>,
}

/// What one peer's snapshot of one page has shown.
#[derive(Debug, Serialize)]
pub(crate) struct PeerFindings {
    pub(crate) peer: Server,
    pub(crate) named: usize,
    pub(crate) visible: usize,
    pub(crate) unreached: Vec<String>,
}

/// What was found out about all pages.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Findings {
    pub(crate) pages: Vec<PageFindings>,
    /// Pages of which Outrigger, the page itself or every peer has said nothing: nobody knows what is missing there.
    pub(crate) unjudged: Vec<String>,
}

/// Compares all pages that the benchmark has.
pub(crate) fn compare(all: &[Option<&Samples>; Server::ALL.len()], names: &[String]) -> Findings {
    let mut findings = Findings::default();
    let crowded = generated::CROWDED.map(str::to_owned);
    for name in names.iter().chain(&crowded) {
        let pages = Server::ALL
            .into_iter()
            .zip(all)
            .filter_map(|(server, samples)| Some((server, (*samples)?.page(name)?)));
        let (ours, others): (Vec<_>, Vec<_>) =
            pages.partition(|(server, _)| *server == Server::Outrigger);
        let ours = ours.first().map(|(_, page)| *page).filter(|page| !page.texts.look.is_empty());
        let sight = others.iter().find_map(|(_, page)| page.sight.as_ref());
        let mut peers = others
            .iter()
            .map(|(server, page)| (*server, page.texts.whole.as_str()))
            .filter(|(_, text)| !text.is_empty())
            .peekable();
        match (ours, sight) {
            (Some(ours), Some(sight)) if crowded.contains(name) || peers.peek().is_some() => {
                findings.pages.push(compare_page(ours, sight, peers));
            }
            _ => findings.unjudged.push(name.clone()),
        }
    }
    findings
}

impl Findings {
    /// How many of something there are on all pages; none while a page isn't judged.
    pub(crate) fn total(&self, count: impl Fn(&PageFindings) -> usize) -> Option<usize> {
        let is_known = self.unjudged.is_empty() && !self.pages.is_empty();
        is_known.then(|| self.pages.iter().map(count).sum())
    }
}

impl PageFindings {
    /// What any peer names and is out of reach, each thing once.
    pub(crate) fn unreached(&self) -> BTreeSet<&str> {
        self.peers.iter().flat_map(|found| found.unreached.iter().map(String::as_str)).collect()
    }

    /// The same of one peer.
    pub(crate) fn unreached_by(&self, peer: Server) -> &[String] {
        let found = self.peers.iter().find(|found| found.peer == peer);
        found.map_or(&[], |found| &found.unreached)
    }
}

fn compare_page<'a>(
    page: &PageSamples,
    sight: &Sight,
    peers: impl Iterator<Item = (Server, &'a str)>,
) -> PageFindings {
    let texts = &page.texts;
    let whole = OurSnapshot::default().read(&texts.whole).read(&texts.behind_whole).searchable();
    let look = OurSnapshot::default().read(&texts.look).searchable();
    let from_look = OurSnapshot::default().read(&texts.look).read(&texts.behind_look).searchable();
    let visible = Visible::new(sight);

    let in_view: Vec<&SeenControl> = sight.in_view().collect();
    let (named, nameless): (Vec<&SeenControl>, Vec<_>) =
        in_view.iter().partition(|control| !control.names.is_empty());
    let left_out = named.iter().filter(|control| !visible.is_reached(control, &from_look));
    let beyond_outline = visible.all_not_in(&from_look).into_iter();
    let unreached_of_page = visible.all_not_in(&whole);
    PageFindings {
        page: page.name.clone(),
        in_view: in_view.len(),
        in_view_in_look: named.iter().filter(|control| visible.is_reached(control, &look)).count(),
        in_view_nameless: nameless.len(),
        in_view_left_out: left_out.map(|control| (*control).clone()).collect(),
        beyond_outline: beyond_outline.filter(|one| !unreached_of_page.contains(one)).collect(),
        peers: peers.map(|(peer, text)| compare_peer(peer, text, &visible, &whole)).collect(),
        unreached_of_page,
    }
}

fn compare_peer(peer: Server, text: &str, visible: &Visible<'_>, whole: &Reached) -> PeerFindings {
    let said = peer_snapshot::parse(text);
    let mut unreached: Vec<String> = Vec::new();
    let mut count = 0;
    let mut controls: BTreeMap<&str, usize> = BTreeMap::new();
    for one in &said {
        let (is_visible, missing) = match one {
            Said::Control(name) => {
                *controls.entry(name.trim()).or_default() += 1;
                visible.control_not_in(name, whole)
            }
            Said::Text(text) => visible.text_not_in(text, whole),
        };
        count += usize::from(is_visible);
        unreached.extend(missing);
    }
    unreached.extend(
        controls.into_iter().filter_map(|(name, times)| visible.seldomer_in(name, times, whole)),
    );
    unreached.sort();
    unreached.dedup();
    PeerFindings { peer, named: said.len(), visible: count, unreached }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::PageTexts;

    fn control(names: &[&str]) -> SeenControl {
        SeenControl {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            is_certain: true,
            is_in_view: true,
            ..SeenControl::default()
        }
    }

    fn sight(texts: &[&str], controls: &[SeenControl]) -> Sight {
        Sight {
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
            controls: controls.to_vec(),
            ..Sight::default()
        }
    }

    fn page(look: &str, behind_look: &str, whole: &str) -> PageSamples {
        let texts = PageTexts {
            whole: whole.to_owned(),
            look: look.to_owned(),
            behind_look: behind_look.to_owned(),
            behind_whole: String::new(),
        };
        PageSamples { texts, ..PageSamples::default() }
    }

    #[test]
    fn a_control_in_view_is_in_the_look_or_behind_a_handle_or_left_out() {
        let sight =
            sight(&[], &[control(&["Buy"]), control(&["Sell"]), control(&["Hold"]), control(&[])]);
        let page = page("[Buy](e1) § More s1 (3 tokens)", "<button e2 \"Sell\">", "[Buy](e1)");
        let found = compare_page(&page, &sight, std::iter::empty());
        assert_eq!((found.in_view, found.in_view_in_look, found.in_view_nameless), (4, 1, 1));
        assert_eq!(found.in_view_left_out, [control(&["Hold"])]);
    }

    #[test]
    fn a_page_that_nobody_has_seen_is_not_judged() {
        let mut ours = Samples { pages: vec![page("look", "", "whole")], ..Samples::default() };
        ours.pages[0].name = "shop".to_owned();
        let findings = compare(&[Some(&ours), None, None, None], &["shop".to_owned()]);
        assert_eq!(findings.unjudged, ["shop", "grid", "articles"]);
        assert_eq!(findings.total(|page| page.in_view), None);
    }

    #[test]
    fn only_what_is_seen_can_be_missing() {
        let sight = sight(&["Read this", "and that"], &[control(&["Go", "Go on"])]);
        let page = page("", "", "Read this [Go](e1)");
        let peer =
            "- text: Read this\n- text: and that\n- text: for ears only\n- link \"Go on\" [ref=e3]";
        let found = compare_page(&page, &sight, [(Server::Playwright, peer)].into_iter());
        assert_eq!(found.peers[0].unreached, ["and that"]);
        assert_eq!((found.peers[0].named, found.peers[0].visible), (4, 3));
    }

    #[test]
    fn a_control_that_can_only_be_read_is_out_of_reach() {
        let sight = sight(&["Go"], &[control(&["Go"])]);
        let page = page("", "", "Go");
        let found =
            compare_page(&page, &sight, [(Server::AgentBrowser, "- button \"Go\"")].into_iter());
        assert_eq!(found.peers[0].unreached, ["control: Go"]);
    }

    #[test]
    fn one_of_three_that_bear_a_name_does_not_stand_for_all() {
        let to =
            |target: &str| SeenControl { target: Some(target.to_owned()), ..control(&["More"]) };
        let sight = sight(&[], &[to("/a"), to("/b"), to("/b"), control(&["More"])]);
        let page = page("", "", "[More](e1) [More](e2)");
        let peer = "- link \"More\"\n".repeat(4);
        let found =
            compare_page(&page, &sight, [(Server::AgentBrowser, peer.as_str())].into_iter());
        assert_eq!(found.peers[0].unreached, ["control: More, 3 times and not 2"]);
    }

    #[test]
    fn what_the_outline_does_not_lead_to_is_told_from_what_nothing_leads_to() {
        let sight = sight(&["first", "second", "third"], &[]);
        let found = compare_page(&page("first", "", "first second"), &sight, std::iter::empty());
        assert_eq!(found.beyond_outline, ["second"]);
        assert_eq!(found.unreached_of_page, ["third"]);
    }
}
