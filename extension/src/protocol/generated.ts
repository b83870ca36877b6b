// Generated from crates/protocol by `make types`. Do not edit.

export type ErrorCode = "unknown_tool" | "invalid_arguments" | "not_allowed" | "forbidden_url" | "no_browser" | "which_browser" | "launch_failed" | "no_tab" | "not_your_tab" | "stale_ref" | "not_found" | "hidden" | "covered" | "disabled" | "moved" | "not_editable" | "dialog_open" | "origin_changed" | "navigation_failed" | "unsupported_page" | "debugger_refused" | "method_not_allowed" | "timeout" | "cancelled" | "link_lost" | "outcome_unknown" | "too_large" | "malformed_frame" | "unknown_message" | "capability_failed" | "internal";

export type RiskLevel = "read" | "act";

export type Capability = { 
/**
 * The request `type` that reaches it.
 */
name: string, 
/**
 * Its own version.
 */
version: string, 
/**
 * `read` looks, `act` changes something.
 */
riskLevel: RiskLevel, 
/**
 * Whether a user gesture must precede it.
 */
requiresGesture: boolean, 
/**
 * What kinds of data come back.
 */
dataTypes: Array<string>, 
/**
 * JSON Schema of its payload.
 */
paramsSchema?: Record<string, unknown>, };

export type BrowserInfo = { 
/**
 * "Chromium", "Google Chrome", …
 */
name: string, 
/**
 * Full version where it can be had.
 */
version: string, 
/**
 * `full` or `lite`: which build of the extension.
 */
build: string, 
/**
 * "linux", "mac", "win", …
 */
platform: string, };

export type TabFacts = { 
/**
 * Chrome's number of the tab.
 */
id: number, 
/**
 * Chrome's number of the window.
 */
windowId: number, 
/**
 * Address; the pending one while nothing has committed yet.
 */
url: string, 
/**
 * Title.
 */
title: string, 
/**
 * In front in its window.
 */
active: boolean, 
/**
 * Still loading.
 */
loading: boolean, 
/**
 * In a private window.
 */
incognito: boolean, 
/**
 * The tab that opened it.
 */
openerTabId?: number, 
/**
 * Highest ref number the hub ever gave out in this tab. The extension
 * remembers it so that a restarted hub never gives a number out twice.
 */
refFloor: number, };

export type Handshake = { 
/**
 * Protocol; 1 when absent.
 */
protocol: number, 
/**
 * Always `extension` here.
 */
clientType: string, 
/**
 * Stays the same over reconnects of one browser profile.
 */
clientId: string, 
/**
 * Pasted by the user, sent every time; or, in a browser that the hub
 * launched itself, the one-time token it was given.
 */
pairingToken?: string, 
/**
 * What this extension can do.
 */
capabilities: Array<Capability>, 
/**
 * Which browser.
 */
browser: BrowserInfo, 
/**
 * Version of the extension.
 */
extensionVersion: string, 
/**
 * Every open tab, so that the hub knows them before the first call.
 */
tabs: Array<TabFacts>, };

export type HandshakeAck = { 
/**
 * Always `connected`.
 */
status: string, 
/**
 * The hub's version.
 */
bridgeVersion: string, 
/**
 * Name of this link, as `outrigger sessions` shows it.
 */
linkId: string, 
/**
 * How often to ping.
 */
keepaliveMs: number, };

export type TabGone = { 
/**
 * The tab.
 */
tabId: number, };

export type TabReplacement = { 
/**
 * The number it had.
 */
oldTabId: number, 
/**
 * The tab as it is now.
 */
tab: TabFacts, };

export type DebuggerDetached = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * Chrome's word for why: `canceled_by_user`, `target_closed`, …
 */
reason: string, };

export type BrowserEvent = { "event": "tab.created", "payload": TabFacts } | { "event": "tab.updated", "payload": TabFacts } | { "event": "tab.activated", "payload": TabFacts } | { "event": "tab.removed", "payload": TabGone } | { "event": "tab.replaced", "payload": TabReplacement } | { "event": "debugger.detached", "payload": DebuggerDetached };

export type Refusal = { 
/**
 * One sentence.
 */
error: string, 
/**
 * Stable code; absent from extensions that know none.
 */
code?: ErrorCode, 
/**
 * Facts that help to say what to do.
 */
details?: Record<string, unknown>, };

export type PageFunction = "facts" | "prepare" | "focusForText" | "fieldText" | "hasText";

export type Frames = "main" | "all" | { "documents": Array<string> };

export type ScriptParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * What to run.
 */
function: PageFunction, 
/**
 * Its one argument.
 */
args: unknown, 
/**
 * Where.
 */
frames: Frames, 
/**
 * Highest ref number the hub has given out in this tab.
 */
refFloor?: number, };

export type ScriptResult = { 
/**
 * One for each frame that answered, the main frame first.
 */
frames: Array<FrameResult>, };

export type FrameResult = { 
/**
 * Chrome's number; 0 is the main frame.
 */
frameId: number, 
/**
 * Chrome's id of the document; another document, another id.
 */
documentId: string, 
/**
 * The value, where the function gave one.
 */
value?: unknown, 
/**
 * Why not, where it gave none.
 */
refusal?: Refusal, };

export type ElementArgs = { 
/**
 * Number of the element in its document, as the facts gave it.
 */
node: number, 
/**
 * The origin the call was authorized for.
 */
origin: string, 
/**
 * For `focusForText`: empty the field first.
 */
clear: boolean, };

export type Prepared = { 
/**
 * Where to press, in CSS pixels of the main frame's viewport.
 */
x: number, 
/**
 * See `x`.
 */
y: number, };

export type FieldText = { 
/**
 * Its value, or the text of an editable element; absent for a secret.
 */
text?: string, };

export type HasTextArgs = { 
/**
 * Matched without regard to case and runs of white space.
 */
text: string, };

export type CdpParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * One of the allow-list.
 */
method: string, 
/**
 * As the debugger protocol has it.
 */
params: Record<string, unknown>, };

export type TabsParams = { "action": "open", 
/**
 * Blank without.
 */
url?: string, } | { "action": "close", 
/**
 * The tab.
 */
tabId: number, } | { "action": "select", 
/**
 * The tab.
 */
tabId: number, } | { "action": "navigate", 
/**
 * The tab.
 */
tabId: number, 
/**
 * Where to.
 */
url: string, 
/**
 * How long to wait.
 */
wait: NavigationWait, } | { "action": "history", 
/**
 * The tab.
 */
tabId: number, 
/**
 * -1 or 1.
 */
delta: number, 
/**
 * How long to wait.
 */
wait: NavigationWait, };

export type NavigationWait = "load" | "dom" | "quiet";

export type Navigated = { 
/**
 * The tab as it is now.
 */
tab: TabFacts, 
/**
 * HTTP status, where there was one.
 */
status?: number, 
/**
 * Whether what was waited for came about; false means still loading.
 */
finished: boolean, };

export type SettleParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * Nothing began within this: done.
 */
beginMs: number, 
/**
 * DOM unchanged for this: done.
 */
quietMs: number, 
/**
 * After a navigation, quiet for this: done.
 */
navigationQuietMs: number, 
/**
 * At most this in all.
 */
limitMs: number, };

export type Settled = { 
/**
 * The tab as it is now.
 */
tab: TabFacts, 
/**
 * A new document came.
 */
navigated: boolean, 
/**
 * The network error that a navigation ended in, `net::ERR_…`.
 */
failed?: string, 
/**
 * Things were quiet before the limit.
 */
settled: boolean, 
/**
 * Tabs that appeared meanwhile with this one as opener.
 */
opened: Array<TabFacts>, };

export type ScreenshotParams = { 
/**
 * The tab; it need not be in front.
 */
tabId: number, 
/**
 * What to encode as.
 */
format: ImageFormat, 
/**
 * 0 to 100, for JPEG.
 */
quality: number, 
/**
 * Scaled down to this many pixels of width.
 */
maxWidth: number, 
/**
 * All of the page instead of the viewport.
 */
fullPage: boolean, 
/**
 * Drawn on the picture, never into the page.
 */
labels: Array<Label>, };

export type Label = { 
/**
 * What to write.
 */
text: string, 
/**
 * x, y, width, height in CSS pixels of the viewport.
 */
rect: [number, number, number, number], };

export type ImageFormat = "jpeg" | "png";

export type Screenshot = { 
/**
 * The picture in base64, without a data-URL prefix.
 */
data: string, 
/**
 * `image/jpeg` or `image/png`.
 */
mimeType: string, 
/**
 * In pixels.
 */
width: number, 
/**
 * In pixels.
 */
height: number, };

export type CaptureScreenParams = { 
/**
 * JPEG without.
 */
format: ImageFormat, };

export type CapturedScreen = { 
/**
 * The picture in base64.
 */
screenshot: string, 
/**
 * `image/jpeg` or `image/png`.
 */
mimeType: string, 
/**
 * Where it comes from.
 */
provenance: Provenance, };

export type ExtractedDom = { 
/**
 * Visible text.
 */
domText: string, 
/**
 * Where it comes from.
 */
provenance: Provenance, };

export type ListedTabs = { 
/**
 * The tabs.
 */
tabs: Array<TabFacts>, 
/**
 * Where it comes from.
 */
provenance: ListProvenance, };

export type Provenance = { 
/**
 * Host name of the page.
 */
domain: string, 
/**
 * Title of the tab.
 */
tabTitle: string, 
/**
 * The tab.
 */
tabId: number, 
/**
 * ISO 8601.
 */
capturedAt: string, 
/**
 * `screenshot` or `domText`.
 */
dataTypes: Array<string>, 
/**
 * Screenshots: re-encoded to be small.
 */
compressed?: boolean, 
/**
 * Screenshots: characters before.
 */
originalSize?: number, 
/**
 * Screenshots: characters after.
 */
compressedSize?: number, 
/**
 * Text: characters.
 */
charCount?: number, };

export type ListProvenance = { 
/**
 * ISO 8601.
 */
capturedAt: string, 
/**
 * `tabMetadata`.
 */
dataTypes: Array<string>, 
/**
 * How many.
 */
tabCount: number, };

export type BatchParams = { 
/**
 * The first step that fails ends the batch.
 */
steps: Array<BatchStep>, };

export type BatchStep = { 
/**
 * Capability.
 */
type: string, 
/**
 * What it takes.
 */
payload: unknown, 
/**
 * Begin the next step without waiting for this one's answer (three mouse
 * events in a row cost 3 ms so, 17 ms one by one). Still awaited before
 * the batch ends.
 */
overlap: boolean, };

export type BatchResult = { 
/**
 * In the order of the steps.
 */
results: unknown[], };

export type State = { 
/**
 * Current value of a field.
 */
value?: string, 
/**
 * `true`, `false` or `mixed`.
 */
checked?: string, 
/**
 * `true` or `false`.
 */
expanded?: boolean, 
/**
 * Heading level.
 */
level?: number, 
/**
 * Where a link leads.
 */
href?: string, 
/**
 * Chosen, in a list of options or tabs.
 */
selected?: boolean, 
/**
 * Can't be used now.
 */
disabled?: boolean, 
/**
 * Must be filled.
 */
required?: boolean, 
/**
 * Marked as wrong.
 */
invalid?: boolean, 
/**
 * Has the focus.
 */
focused?: boolean, 
/**
 * What a field expects, where its name doesn't say so.
 */
placeholder?: string, };

export type PageFacts = { 
/**
 * `location.href`.
 */
url: string, 
/**
 * `location.origin`.
 */
origin: string, 
/**
 * `document.title`.
 */
title: string, 
/**
 * HTTP status, where there was one.
 */
status?: number, 
/**
 * Width and height of the viewport.
 */
viewport: [number, number], 
/**
 * How far it is scrolled.
 */
scroll: [number, number], 
/**
 * Width and height of the whole document.
 */
extent: [number, number], 
/**
 * In document order; a parent comes before its children.
 */
nodes: (TextNode | ElementNode)[], };

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

export const PROTOCOL = 1;

export const MAX_FRAME_BYTES = 33554432;

export const CDP_METHODS: readonly string[] = [
  "Emulation.setFocusEmulationEnabled",
  "Input.dispatchKeyEvent",
  "Input.dispatchMouseEvent",
  "Input.insertText",
  "Page.bringToFront",
  "Page.captureScreenshot",
  "Page.getLayoutMetrics",
];

export const CloseCode = {
  UnsupportedProtocol: 4001,
  HandshakeTimeout: 4002,
  InvalidPairingToken: 4003,
  Replaced: 4004,
  Revoked: 4005,
} as const;

export const Flag = {
  Control: 1,
  Block: 2,
  InViewport: 4,
  Hidden: 8,
  Secret: 16,
} as const;
