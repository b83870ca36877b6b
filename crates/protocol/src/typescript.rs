//! Renders the wire types as TypeScript, for `extension/src/protocol/`.

use ts_rs::{Config, TS};

use crate::{
    capabilities, codes, context, diagnostics, facts, filling, helm, inspection, link, native,
    page_state, pages, records,
};

/// The whole generated file.
pub fn render() -> String {
    let config = Config::new().with_large_int("number");
    let mut out =
        String::from("// Generated from crates/protocol by `make types`. Do not edit.\n\n");
    macro_rules! declare {
        ($($type:ty),* $(,)?) => { $(
            out.push_str("export ");
            out.push_str(&<$type as TS>::decl(&config));
            out.push_str("\n\n");
        )* };
    }
    declare!(
        codes::ErrorCode,
        helm::GroupColour,
        helm::SessionGroup,
        helm::Standing,
        helm::HelmState,
        helm::AgentSession,
        helm::UserRequest,
        helm::RequestKind,
        helm::PermissionQuestion,
        helm::Picture,
        helm::Place,
        helm::Detail,
        helm::AnswerTerm,
        helm::Rules,
        helm::Rule,
        helm::ListedSite,
        helm::SiteList,
        helm::Beyond,
        helm::UserCommand,
        context::Tracking,
        context::MajorChangeArgs,
        context::ContextReport,
        context::Untold,
        context::PageContext,
        context::ContextViewport,
        context::ContextDom,
        context::ContextNode,
        context::ContextControl,
        context::ContextContent,
        context::ContextLink,
        context::ContextImage,
        context::ContextForm,
        context::ContextInput,
        context::ContextMeta,
        link::RiskLevel,
        link::Capability,
        link::BrowserInfo,
        link::TabFacts,
        link::Handshake,
        link::HandshakeAck,
        link::TabGone,
        link::TabReplacement,
        link::WindowFocus,
        link::DebuggerDetached,
        link::BrowserEvent,
        link::Refusal,
        native::HostMessage,
        capabilities::PageFunction,
        capabilities::Frames,
        capabilities::ScriptParams,
        capabilities::ScriptResult,
        capabilities::FrameResult,
        capabilities::ElementArgs,
        capabilities::Purpose,
        capabilities::PointArgs,
        capabilities::ScrollArgs,
        capabilities::Scrolling,
        capabilities::Scrolled,
        capabilities::DragParams,
        capabilities::Dragged,
        capabilities::Prepared,
        capabilities::FieldText,
        capabilities::FocusedOn,
        capabilities::StakesArgs,
        capabilities::StakesBy,
        capabilities::SentForm,
        capabilities::Stake,
        capabilities::HasTextArgs,
        capabilities::CdpParams,
        capabilities::TabsParams,
        capabilities::NavigationWait,
        capabilities::Navigated,
        capabilities::SettleParams,
        capabilities::Settled,
        capabilities::ScreenshotParams,
        capabilities::Label,
        capabilities::ImageFormat,
        capabilities::Screenshot,
        capabilities::CaptureScreenParams,
        capabilities::ExtractDomParams,
        capabilities::CapturedScreen,
        capabilities::ExtractedDom,
        capabilities::ListedTabs,
        capabilities::Provenance,
        capabilities::ListProvenance,
        capabilities::BatchParams,
        capabilities::BatchStep,
        capabilities::BatchResult,
        diagnostics::ConsoleParams,
        diagnostics::ConsoleLevel,
        diagnostics::ConsoleEntry,
        diagnostics::ConsoleLog,
        diagnostics::NetworkParams,
        diagnostics::NetworkRequest,
        diagnostics::SocketMessages,
        diagnostics::NetworkList,
        diagnostics::NetworkDetail,
        diagnostics::PdfParams,
        diagnostics::Pdf,
        filling::FillParams,
        filling::InsertParams,
        filling::FieldOrder,
        filling::Filled,
        filling::FieldOutcome,
        filling::UploadParams,
        filling::UploadFiles,
        filling::FileBytes,
        pages::DialogParams,
        pages::AnsweredDialog,
        pages::DialogKind,
        pages::WaitParams,
        pages::WaitUntil,
        pages::ElementState,
        pages::ElementStateArgs,
        pages::NextChangeArgs,
        pages::Waited,
        pages::EvaluateParams,
        pages::ElementPlace,
        pages::Evaluated,
        pages::MarkArgs,
        pages::WithoutSecretsArgs,
        pages::DownloadsParams,
        pages::DownloadList,
        pages::DownloadFacts,
        pages::DownloadState,
        inspection::Selector,
        inspection::Known,
        inspection::Described,
        inspection::UserDeedsArgs,
        inspection::UserDeed,
        inspection::QueryArgs,
        inspection::Match,
        inspection::Queried,
        inspection::Located,
        inspection::Metadata,
        page_state::StorageArea,
        page_state::StorageArgs,
        page_state::StorageAccess,
        page_state::Stored,
        page_state::Vitals,
        page_state::PageToolsArgs,
        page_state::PageToolCall,
        page_state::PageTools,
        page_state::PageTool,
        facts::FactsArgs,
        facts::State,
        facts::PageFacts,
        records::RecordId,
        records::Record,
        records::RecordEventKind,
        records::RecordEvent,
        records::Selector,
        records::ContextCondition,
        records::ContextOperator,
    );
    out.push_str(FACTS);
    out.push_str(&constants());
    out
}

/// `Node` has a hand-written wire form in Rust, so its TypeScript is written
/// here beside it rather than derived.
const FACTS: &str = "\
export type TextNode = [parent: number, text: string];

export type ElementNode = [
  parent: number,
  tag: string,
  role: string,
  name?: string,
  flags?: number,
  id?: number,
  rect?: [number, number, number, number],
  state?: State,
];

";

fn constants() -> String {
    let methods: Vec<String> =
        capabilities::CDP_METHODS.iter().map(|method| format!("  \"{method}\",\n")).collect();
    let closes: Vec<String> = codes::CloseCode::ALL
        .iter()
        .map(|(code, _)| format!("  {code:?}: {},\n", *code as u16))
        .collect();
    format!(
        "export const PROTOCOL = {};\n\n\
         export const HELM_VERSION = {};\n\n\
         export const MAX_FRAME_BYTES = {};\n\n\
         export const NATIVE_HOST = {:?};\n\n\
         export const CDP_METHODS: readonly string[] = [\n{}];\n\n\
         export const CloseCode = {{\n{}}} as const;\n\n\
         export const REUSED_REASON = {:?};\n\n\
         export const Flag = {{\n  Control: {},\n  Block: {},\n  InViewport: {},\n  Hidden: {},\n  Secret: {},\n  Covered: {},\n  OnTop: {},\n  Picture: {},\n}} as const;\n",
        link::PROTOCOL,
        helm::HELM_VERSION,
        link::MAX_FRAME_BYTES,
        native::NATIVE_HOST,
        methods.concat(),
        closes.concat(),
        codes::REUSED_REASON,
        facts::flags::CONTROL,
        facts::flags::BLOCK,
        facts::flags::IN_VIEWPORT,
        facts::flags::HIDDEN,
        facts::flags::SECRET,
        facts::flags::COVERED,
        facts::flags::ON_TOP,
        facts::flags::PICTURE,
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_extension_has_the_types_of_this_crate() {
        let path =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../../extension/src/protocol/generated.ts");
        let there = std::fs::read_to_string(path).unwrap_or_default();
        assert!(there == super::render(), "{path} is out of date: run `make types`");
    }
}
