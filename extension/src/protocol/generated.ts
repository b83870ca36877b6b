// Generated from crates/protocol by `make types`. Do not edit.

export type ErrorCode = "unknown_tool" | "invalid_arguments" | "not_allowed" | "out_of_scope" | "forbidden_url" | "no_browser" | "which_browser" | "launch_failed" | "no_tab" | "not_your_tab" | "paused" | "stopped" | "user_refused" | "gesture_required" | "stale_ref" | "not_found" | "ambiguous" | "hidden" | "covered" | "disabled" | "moved" | "changed" | "not_editable" | "dialog_open" | "evaluation_failed" | "unresponsive" | "tab_crashed" | "origin_changed" | "navigation_failed" | "auth_required" | "unsupported_page" | "debugger_refused" | "method_not_allowed" | "timeout" | "cancelled" | "link_lost" | "outcome_unknown" | "version_mismatch" | "bad_record" | "no_records" | "too_large" | "malformed_frame" | "unknown_message" | "capability_failed" | "internal";

export type GroupColour = "cyan" | "orange" | "purple" | "green" | "pink" | "blue" | "yellow" | "red";

export type SessionGroup = { 
/**
 * The session.
 */
session: string, 
/**
 * What to write on the group.
 */
title: string, 
/**
 * In which colour.
 */
colour: GroupColour, 
/**
 * In a window of its own.
 */
ownWindow: boolean, };

export type Standing = "working" | "paused" | "stopped";

export type HelmState = { 
/**
 * [`HELM_VERSION`].
 */
version: number, 
/**
 * The user stopped everything, and has not let it go on yet.
 */
everythingStopped: boolean, 
/**
 * Sessions that are or were at work.
 */
sessions: Array<AgentSession>, 
/**
 * What agents ask of the user, oldest first.
 */
requests: Array<UserRequest>, 
/**
 * What the user decided for good; only a person's own browser is told.
 */
rules?: Rules, };

export type AgentSession = { 
/**
 * Its name, in commands.
 */
session: string, 
/**
 * The client's name.
 */
client: string, 
/**
 * The colour of its group.
 */
colour: GroupColour, 
/**
 * Whether it may go on.
 */
standing: Standing, 
/**
 * Paused because the user cancelled the debugging bar.
 */
barCancelled: boolean, 
/**
 * The tool that it runs now.
 */
doing?: string, 
/**
 * Its tabs in the browser that is told.
 */
tabs: Array<number>, 
/**
 * How many tabs it has in other browsers.
 */
tabsElsewhere: number, };

export type UserRequest = { 
/**
 * Its number, in answers.
 */
id: number, 
/**
 * Whose it is.
 */
session: string, 
/**
 * The client's name.
 */
client: string, 
/**
 * What kind.
 */
kind: RequestKind, 
/**
 * The agent's words; of a permission, ours.
 */
what: string, 
/**
 * What is to be decided.
 */
question?: PermissionQuestion, };

export type RequestKind = "human" | "tab" | "permission" | "record" | "recording";

export type PermissionQuestion = { 
/**
 * The permission's keys, as policies name them.
 */
keys: Array<string>, 
/**
 * Where, one or more.
 */
places: Array<Place>, 
/**
 * With what: the text that would be typed, the address that would be opened, and so on.
 */
with: Array<Detail>, 
/**
 * Asked each time: an answer can't be kept.
 */
eachTime: boolean, 
/**
 * What it is about, where that is more than one call.
 */
beyond?: Beyond, 
/**
 * What to watch out for, in sentences.
 */
warnings: Array<string>, 
/**
 * What the agent would get, as it would get it.
 */
picture?: Picture, 
/**
 * Without an answer by then it is denied: milliseconds since the epoch.
 */
untilMs: number, };

export type Picture = string;

export type Place = { 
/**
 * What somebody had to register: `example.co.uk`; of a pattern or an address without
 * a name all of it.
 */
domain: string, 
/**
 * The origin in full, in ASCII as the browser resolves it, or the pattern.
 */
origin: string, 
/**
 * As it would be read, where that differs from the ASCII.
 */
readsAs?: string, };

export type Detail = { 
/**
 * What it is: `Text`, `Address`, `File`.
 */
label: string, 
/**
 * All of it, as far as it fits.
 */
text: string, };

export type AnswerTerm = "once" | "session" | "always";

export type Rules = { 
/**
 * What may be done where, and what not.
 */
policies: Array<Rule>, 
/**
 * Sites on one of the user's lists.
 */
sites: Array<ListedSite>, };

export type Rule = { 
/**
 * Pattern of permission keys.
 */
tools: string, 
/**
 * Pattern of origins.
 */
origins: string, 
/**
 * Whether it may happen.
 */
allow: boolean, };

export type ListedSite = { 
/**
 * It and all below it.
 */
domain: string, 
/**
 * On which list.
 */
list: SiteList, };

export type SiteList = "trusted" | "blocked";

export type Beyond = "plan" | "rules";

export type UserCommand = { "command": "pause", 
/**
 * The session.
 */
session: string, } | { "command": "resume", 
/**
 * The session.
 */
session: string, } | { "command": "stop", 
/**
 * The session.
 */
session: string, } | { "command": "stopEverything" } | { "command": "goOn" } | { "command": "share", 
/**
 * The session.
 */
session: string, 
/**
 * The tab.
 */
tabId: number, } | { "command": "takeBack", 
/**
 * The tab.
 */
tabId: number, } | { "command": "accept", 
/**
 * The request.
 */
request: number, 
/**
 * The tab that is given.
 */
tabId?: number, } | { "command": "refuse", 
/**
 * The request.
 */
request: number, } | { "command": "forgetRule", 
/**
 * Pattern of permission keys.
 */
tools: string, 
/**
 * Pattern of origins.
 */
origins: string, } | { "command": "listSite", 
/**
 * It and all below it.
 */
domain: string, 
/**
 * Which.
 */
list?: SiteList, } | { "command": "decide", 
/**
 * The request.
 */
request: number, 
/**
 * Whether it may happen.
 */
allow: boolean, 
/**
 * For how long that holds.
 */
term: AnswerTerm, };

export type Tracking = { 
/**
 * Somebody follows the page itself; otherwise its address and title are enough.
 */
isFollowed: boolean, 
/**
 * What was told before is not known here: all of it is wanted again.
 */
startsOver: boolean, };

export type MajorChangeArgs = { 
/**
 * Answer after this in any case.
 */
limitMs: number, };

export type ContextReport = { 
/**
 * Nothing that was told before counts any more.
 */
isWhole: boolean, 
/**
 * A JSON merge patch of the context.
 */
changes: Record<string, unknown>, 
/**
 * Why there is nothing, where there is nothing.
 */
untold?: Untold, };

export type Untold = "off" | "left_out";

export type PageContext = { 
/**
 * Its address.
 */
url: string, 
/**
 * Host of the address.
 */
domain: string, 
/**
 * Its title.
 */
title: string, 
/**
 * Address of its icon.
 */
favicon: string, 
/**
 * The part that is shown.
 */
viewport: ContextViewport, 
/**
 * What can be used in it.
 */
dom: ContextDom, 
/**
 * What it says.
 */
content: ContextContent, 
/**
 * What it says of itself.
 */
meta: ContextMeta, };

export type ContextViewport = { 
/**
 * In CSS pixels, as everything here.
 */
width: number, 
/**
 * Height.
 */
height: number, 
/**
 * How far it is scrolled to the right.
 */
scrollX: number, 
/**
 * How far down.
 */
scrollY: number, 
/**
 * Pixels of the screen for one of these.
 */
devicePixelRatio: number, };

export type ContextDom = { 
/**
 * Where the map begins; empty in an empty page.
 */
rootId: string, 
/**
 * Elements that can be seen, by their id in here.
 */
map: { [key in string]: ContextNode }, 
/**
 * Those that can be used, by their highlight index.
 */
interactiveElements: { [key in string]: ContextControl }, 
/**
 * How many elements were left out for their number.
 */
omitted: number, };

export type ContextNode = { 
/**
 * Tag.
 */
tagName: string, 
/**
 * Ids of those in it.
 */
children: Array<string>, 
/**
 * Where it stands among those that can be used.
 */
highlightIndex?: number, };

export type ContextControl = { 
/**
 * Tag.
 */
tag: string, 
/**
 * Those by which it can be told from others. Never what is typed in it.
 */
attributes: { [key in string]: string }, 
/**
 * The way to it.
 */
xpath: string, 
/**
 * What is written on it.
 */
text: string, };

export type ContextContent = { 
/**
 * The beginning of its text.
 */
mainText: string, 
/**
 * Headings.
 */
headings: Array<string>, 
/**
 * Links.
 */
links: Array<ContextLink>, 
/**
 * Pictures.
 */
images: Array<ContextImage>, 
/**
 * Forms.
 */
forms: Array<ContextForm>, };

export type ContextLink = { 
/**
 * What it says.
 */
text: string, 
/**
 * Where it leads.
 */
href: string, };

export type ContextImage = { 
/**
 * What it shows.
 */
alt: string, 
/**
 * Where it is.
 */
src: string, };

export type ContextForm = { 
/**
 * Where it is sent.
 */
action: string, 
/**
 * How.
 */
method: string, 
/**
 * Its fields, without what they hold.
 */
inputs: Array<ContextInput>, };

export type ContextInput = { 
/**
 * Its kind.
 */
type: string, 
/**
 * What the form calls it.
 */
name: string, 
/**
 * What stands in it while it is empty.
 */
placeholder: string, 
/**
 * Whether it must be filled in.
 */
required: boolean, 
/**
 * What the browser may fill in.
 */
autocomplete: string, };

export type ContextMeta = { 
/**
 * Description.
 */
description: string, 
/**
 * Keywords.
 */
keywords: Array<string>, 
/**
 * Title for others to show.
 */
ogTitle: string, 
/**
 * Picture for others to show.
 */
ogImage: string, 
/**
 * Description for others to show.
 */
ogDescription: string, };

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
 * The agent session in whose tab group it is.
 */
session?: string, 
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
 * In its place, once the pairing token was exchanged for a login.
 */
accessToken?: string, 
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
tabs: Array<TabFacts>, 
/**
 * The window that the user was in last, of those that hold tabs.
 */
window?: number, 
/**
 * Names what this extension remembers of requests marked `once`. While it
 * stays the same, such a request may be sent again after a reconnect and is
 * not run twice. Absent from extensions that remember nothing.
 */
memory?: string, 
/**
 * The form of `helm` frames that it shows to its user; none where it
 * shows none.
 */
helm: number, };

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
keepaliveMs: number, 
/**
 * The hub still waits for what it asked on the connection before this
 * one, and asks again under the same ids.
 */
resumed: boolean, };

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

export type WindowFocus = { 
/**
 * The window.
 */
windowId: number, };

export type DebuggerDetached = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * Chrome's word for why: `canceled_by_user`, `target_closed`, …
 */
reason: string, };

export type BrowserEvent = { "event": "tab.created", "payload": TabFacts } | { "event": "tab.updated", "payload": TabFacts } | { "event": "tab.activated", "payload": TabFacts } | { "event": "tab.removed", "payload": TabGone } | { "event": "tab.replaced", "payload": TabReplacement } | { "event": "window.focused", "payload": WindowFocus } | { "event": "debugger.detached", "payload": DebuggerDetached } | { "event": "user.command", "payload": UserCommand } | { "event": "page.context", "payload": ContextReport };

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

export type HostMessage = { "type": "native_chunk", 
/**
 * A piece of the frame's text.
 */
text: string, 
/**
 * Whether the frame is whole with it.
 */
last: boolean, } | { "type": "native_closed", 
/**
 * The hub's close code, or one of the host's.
 */
code: number, 
/**
 * Why.
 */
reason: string, };

export type PageFunction = "facts" | "prepare" | "focusForText" | "focusElement" | "expectKey" | "fieldText" | "focusedOn" | "query" | "describe" | "userDeeds" | "locate" | "scroll" | "metadata" | "storage" | "vitals" | "pageTools" | "stakes";

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
 * The document's origin, by its own script; of one that answers nothing, by its address.
 */
origin?: string, 
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
clear: boolean, 
/**
 * For `focusForText`: the number of the walk that told the page last. If nothing
 * but the field changes since, a look at the field alone will do.
 */
walk?: number, 
/**
 * Where to press, in CSS pixels of its own frame's viewport; somewhere on
 * the element without. The page is not scrolled for it.
 */
point?: [number, number], 
/**
 * What the pointer is to do there; press without.
 */
purpose?: Purpose, 
/**
 * For `prepare`: numbers of the elements in its document whose changes were not told,
 * so that what they were called before is what the agent knows.
 */
untold?: Array<number>, 
/**
 * For `prepare`: what the agent was told that the element is called, by a look of
 * which it was told a part.
 */
toldName?: string, };

export type Purpose = "press" | "rest" | "grab" | "drop";

export type PointArgs = { 
/**
 * In CSS pixels of the main frame's viewport.
 */
point: [number, number], };

export type ScrollArgs = { 
/**
 * The origin the call was authorized for.
 */
origin: string, 
/**
 * An element; the page without.
 */
node?: number, 
/**
 * How.
 */
how: Scrolling, };

export type Scrolling = "intoView" | "top" | "bottom" | { "by": [number, number] };

export type Scrolled = { 
/**
 * From its beginning: across, down.
 */
at: [number, number], 
/**
 * The furthest it can go.
 */
end: [number, number], 
/**
 * The page itself, not a box in it.
 */
isPage: boolean, 
/**
 * It stands elsewhere than before.
 */
hasMoved: boolean, };

export type DragParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * Where to press, in CSS pixels of the main frame's viewport.
 */
from: Prepared, 
/**
 * Where to let go.
 */
to?: Prepared, 
/**
 * Or how far from where it was pressed.
 */
by?: [number, number], 
/**
 * The two ends are in frames of different sites.
 */
acrossSites?: boolean, };

export type Dragged = { 
/**
 * For a drag and drop of the browser's own: whether something took what
 * was dropped. Absent for others.
 */
wasTaken?: boolean, };

export type Prepared = { 
/**
 * Where to press, in CSS pixels of the main frame's viewport.
 */
x: number, 
/**
 * See `x`.
 */
y: number, 
/**
 * A press and a move there begin a drag and drop of the browser's own,
 * unless the page prevents it.
 */
draggable?: boolean, };

export type FieldText = { 
/**
 * Its value, or the text of an editable element; absent for a secret.
 */
text?: string, 
/**
 * Whether it still has the focus.
 */
focused: boolean, 
/**
 * It holds what it held when it was focused for typing.
 */
unchanged?: boolean, };

export type FocusedOn = "text" | "frame" | "other";

export type StakesArgs = { 
/**
 * The origin the call was authorized for.
 */
origin: string, 
/**
 * The element; without it, whatever has the focus.
 */
node?: number, 
/**
 * What would be done there.
 */
by: StakesBy, };

export type StakesBy = "press" | "enter" | { "fill": Array<string> };

export type SentForm = "card" | "newPassword" | "other";

export type Stake = { 
/**
 * Its role.
 */
role: string, 
/**
 * What it is called.
 */
name: string, 
/**
 * The question that it answers: words of the dialog around it, or of the heading before.
 */
asked: string, 
/**
 * What the form asks for that it sends, where that tells what comes of it.
 */
form?: SentForm, };

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
 * Whose it is; it goes into that session's tab group.
 */
group?: SessionGroup, } | { "action": "close", 
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
wait: NavigationWait, } | { "action": "reload", 
/**
 * The tab.
 */
tabId: number, 
/**
 * Past the browser's cache.
 */
hard: boolean, 
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
finished: boolean, 
/**
 * The browser's own viewer shows a PDF.
 */
isPdf?: boolean, 
/**
 * The address led to a file, and the tab is where it was.
 */
download?: DownloadFacts, 
/**
 * Dialogs of the page before that were answered to leave it.
 */
dialogs?: number, };

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
limitMs: number, 
/**
 * Tell what the page is like then, where it is the same one.
 */
look: boolean, };

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
 * The document is the same, its address another.
 */
movedWithin?: boolean, 
/**
 * The network error that a navigation ended in, `net::ERR_…`.
 */
failed?: string, 
/**
 * What that means and what to do, in the extension's own words.
 */
failedBecause?: string, 
/**
 * Things were quiet before the limit.
 */
settled: boolean, 
/**
 * Where the tab was on its way to when the limit came.
 */
headingFor?: string, 
/**
 * The element got the press but no click: the page replaced or moved it.
 */
halfway?: boolean, 
/**
 * Tabs that appeared meanwhile with this one as opener.
 */
opened: Array<TabFacts>, 
/**
 * The inputs before it went to the page as synthetic events, since the
 * debugger can't attach to the tab.
 */
synthetic: boolean, 
/**
 * A script put in what the inputs before it were about, and some of the events that
 * told the page are not the browser's.
 */
byScript?: boolean, 
/**
 * HTTP status of the new document, where there was one.
 */
status?: number, 
/**
 * The browser's own viewer shows the new document.
 */
isPdf?: boolean, 
/**
 * Files whose download began meanwhile.
 */
downloads?: Array<DownloadFacts>, 
/**
 * An address that leads out of the browser, which the page was kept from following.
 */
heldBack?: string, 
/**
 * The page asked the user for files; the browser's window for that was held back.
 */
wantsFiles?: boolean, 
/**
 * What the page asked the user for, by the browser's names for that, and the user has
 * not answered yet.
 */
asksFor?: Array<string>, 
/**
 * The page would have opened the browser's print window, which was held back.
 */
wantsPrint?: boolean, 
/**
 * The answers of all frames to `facts`, where they were asked for and are short.
 */
look?: Array<FrameResult>, 
/**
 * Instead of them, the nodes of the one field that changed, as JSON.
 */
field?: FrameResult, 
/**
 * After typing: what the field holds that was made ready for it, if it is still there.
 */
typed?: FieldText, };

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
 * Only this part: x, y, width, height in CSS pixels of the viewport; may
 * lie outside of what is in view.
 */
clip?: [number, number, number, number], 
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
format: ImageFormat, 
/**
 * The tab that may be seen; the one that the user is looking at without.
 */
tabId?: number, 
/**
 * The user need not have pressed anything: there is nothing to protect, or the
 * tab is the agent's own.
 */
gestureSpared: boolean, };

export type ExtractDomParams = { 
/**
 * The tab that may be read; the one that the user is looking at without.
 */
tabId?: number, };

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
 * The page's origin.
 */
origin: string, 
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
overlap: boolean, 
/**
 * It changes something. In a request marked `once`, the extension notes
 * before the first such step that the request has begun, and after the
 * last one what came of it: only the steps after that run again.
 */
acts: boolean, };

export type BatchResult = { 
/**
 * In the order of the steps.
 */
results: unknown[], };

export type ConsoleParams = { 
/**
 * The tab.
 */
tabId: number, };

export type ConsoleLevel = "debug" | "info" | "warning" | "error";

export type ConsoleEntry = { 
/**
 * Counted from 1 in this tab.
 */
seq: number, 
/**
 * How bad it is.
 */
level: ConsoleLevel, 
/**
 * What it says, cut at 4,000 letters.
 */
text: string, 
/**
 * `url:line:column`, where known.
 */
source?: string, 
/**
 * `function (url:line:column)`, innermost first, for errors and exceptions.
 */
stack?: Array<string>, 
/**
 * Milliseconds since the epoch.
 */
at: number, };

export type ConsoleLog = { 
/**
 * Oldest first.
 */
entries: Array<ConsoleEntry>, 
/**
 * How many older ones were dropped to make room.
 */
dropped: number, };

export type NetworkParams = { "action": "list", 
/**
 * The tab.
 */
tabId: number, } | { "action": "detail", 
/**
 * The tab.
 */
tabId: number, 
/**
 * Its number.
 */
id: number, };

export type NetworkRequest = { 
/**
 * Counted from 1 in this tab; 0 for one from before recording began.
 */
id: number, 
/**
 * `GET`; empty where unknown.
 */
method: string, 
/**
 * Where to, cut at 2,000 letters.
 */
url: string, 
/**
 * `document`, `script`, `fetch`, `xhr`, `image`, `websocket`…
 */
kind: string, 
/**
 * HTTP status.
 */
status?: number, 
/**
 * Why it failed, `net::ERR_…`.
 */
failed?: string, 
/**
 * Media type of the answer.
 */
mime?: string, 
/**
 * Bytes of the answer, where known.
 */
bytes?: number, 
/**
 * How long it took, once it is over.
 */
tookMs?: number, 
/**
 * When it began, in milliseconds since the epoch.
 */
at: number, 
/**
 * Of a WebSocket.
 */
messages?: SocketMessages, };

export type SocketMessages = { 
/**
 * From the page.
 */
sent: number, 
/**
 * To the page.
 */
received: number, };

export type NetworkList = { 
/**
 * Oldest first.
 */
requests: Array<NetworkRequest>, 
/**
 * How many older ones were dropped to make room.
 */
dropped: number, };

export type NetworkDetail = { 
/**
 * What the list says of it.
 */
request: NetworkRequest, 
/**
 * As sent. What is sensitive in them is the hub's to hide.
 */
requestHeaders: Array<[string, string]>, 
/**
 * As received.
 */
responseHeaders: Array<[string, string]>, 
/**
 * Names of what was sent in the body: fields of a form or keys of a JSON
 * object, never their values.
 */
sentFields: Array<string>, 
/**
 * The answer's text, cut at 200,000 letters; absent for pictures and the like.
 */
body?: string, 
/**
 * Why there is none.
 */
noBody?: string, };

export type PdfParams = { 
/**
 * The tab; it need not be in front.
 */
tabId: number, 
/**
 * Wider than high.
 */
landscape: boolean, 
/**
 * Colours and pictures behind the text.
 */
background: boolean, 
/**
 * 0.1 to 2.
 */
scale: number, };

export type Pdf = { 
/**
 * Base64.
 */
data: string, };

export type FillParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * The origin the call was authorized for.
 */
origin: string, 
/**
 * In the order in which to fill them.
 */
fields: Array<FieldOrder>, 
/**
 * Only what has options to choose from is meant.
 */
choose: boolean, 
/**
 * Submit the form of the last field, if all took their values.
 */
submit: boolean, };

export type InsertParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * The document that the field is in.
 */
documentId: string, 
/**
 * As `focusForText` takes it.
 */
field: ElementArgs, 
/**
 * What to put in, in place of what is selected.
 */
text: string, };

export type FieldOrder = { 
/**
 * Chrome's id of its document.
 */
documentId: string, 
/**
 * Its number there.
 */
node: number, 
/**
 * Text, `true` or `false`, a date, options by label or value. Most fields
 * take exactly one.
 */
values: Array<string>, 
/**
 * It is to be a field for files, which are given with `upload`.
 */
files: boolean, };

export type Filled = { 
/**
 * One for each field, in their order.
 */
fields: Array<FieldOutcome>, 
/**
 * Whether the form was submitted.
 */
submitted: boolean, };

export type FieldOutcome = { 
/**
 * It holds what it was to hold.
 */
took: boolean, 
/**
 * What it holds, in words of the page, if that is something else; absent
 * for a secret.
 */
held?: string, 
/**
 * Why it could not be filled, where that is known.
 */
refusal?: Refusal, };

export type UploadParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * The origin the call was authorized for.
 */
origin: string, 
/**
 * Chrome's id of the element's document.
 */
documentId: string, 
/**
 * The element's number there.
 */
node: number, 
/**
 * The files.
 */
files: UploadFiles, };

export type UploadFiles = { "paths": Array<string> } | { "bytes": Array<FileBytes> };

export type FileBytes = { 
/**
 * As the page sees it.
 */
name: string, 
/**
 * Media type; may be empty.
 */
mime: string, 
/**
 * In base64.
 */
base64: string, };

export type DialogParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * Yes or no.
 */
accept: boolean, 
/**
 * What a prompt is answered with; what it proposes, without.
 */
text?: string, };

export type AnsweredDialog = { 
/**
 * What it was.
 */
kind: DialogKind, };

export type DialogKind = "alert" | "confirm" | "prompt" | "beforeunload";

export type WaitParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * What is waited for.
 */
until: WaitUntil, };

export type WaitUntil = { "kind": "text", 
/**
 * Matched without regard to case and runs of white space.
 */
text: string, 
/**
 * Until no frame shows it.
 */
gone: boolean, } | { "kind": "element", 
/**
 * Its document.
 */
document: string, 
/**
 * Its number there.
 */
node: number, 
/**
 * The state.
 */
state: ElementState, } | { "kind": "url", 
/**
 * A part of it.
 */
part: string, } | { "kind": "quiet" } | { "kind": "passed", 
/**
 * Milliseconds.
 */
ms: number, };

export type ElementState = "visible" | "hidden" | "enabled" | "disabled" | "checked" | "unchecked" | "expanded" | "collapsed" | "gone";

export type ElementStateArgs = { 
/**
 * Number of the element in its document.
 */
node: number, 
/**
 * The state.
 */
state: ElementState, };

export type NextChangeArgs = { 
/**
 * Answer after this in any case.
 */
limitMs: number, };

export type Waited = { 
/**
 * Whether it came about in time.
 */
came: boolean, };

export type EvaluateParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * Source of a function, or of an expression.
 */
source: string, 
/**
 * The origin the call was authorized for.
 */
origin: string, 
/**
 * Given to the function.
 */
element?: ElementPlace, };

export type ElementPlace = { 
/**
 * Its document.
 */
document: string, 
/**
 * Its number there.
 */
node: number, };

export type Evaluated = { 
/**
 * What the function returned, cut where it is too long; absent for `undefined`.
 */
json?: string, 
/**
 * How long all of it is, where it was cut.
 */
letters?: number, };

export type MarkArgs = { 
/**
 * Number of the element in its document.
 */
node: number, 
/**
 * What to call it; empty takes the mark away.
 */
name: string, };

export type WithoutSecretsArgs = { 
/**
 * What is to be freed of secrets.
 */
text: string, };

export type DownloadsParams = { 
/**
 * The tab.
 */
tabId: number, 
/**
 * Those that began from then on, in milliseconds since the epoch.
 */
since: number, 
/**
 * Until there is one and none is under way.
 */
wait: boolean, };

export type DownloadList = { 
/**
 * The downloads.
 */
downloads: Array<DownloadFacts>, };

export type DownloadFacts = { 
/**
 * The browser's number for it.
 */
id: number, 
/**
 * Where it comes from.
 */
url: string, 
/**
 * Where it is saved; empty as long as that isn't known.
 */
path: string, 
/**
 * What the server called it.
 */
mimeType: string, 
/**
 * How it stands.
 */
state: DownloadState, 
/**
 * Bytes so far.
 */
received: number, 
/**
 * Bytes in all, where the server said.
 */
total?: number, 
/**
 * Why the browser holds it back until the user decides.
 */
danger?: string, 
/**
 * What interrupted it.
 */
error?: string, 
/**
 * Whether the file is still there.
 */
exists: boolean, };

export type DownloadState = "in_progress" | "interrupted" | "complete";

export type Selector = { "css": string } | { "text": { 
/**
 * What they show.
 */
text: string, 
/**
 * All of what they show, not only a part.
 */
exact: boolean, 
/**
 * Also the lists in which this can be chosen.
 */
choices?: boolean, } } | { "role": { 
/**
 * The role.
 */
role: string, 
/**
 * Any name if empty. Case doesn't matter.
 */
name: string, } } | { "xpath": string } | { "node": number } | { "known": Known };

export type Known = { 
/**
 * Its ARIA role.
 */
role?: string, 
/**
 * All of its accessible name. Case and runs of white space don't matter here
 * and below.
 */
name?: string, 
/**
 * All of what it shows.
 */
text?: string, 
/**
 * The nearest heading before it.
 */
heading?: string, 
/**
 * CSS.
 */
selector?: string, };

export type Described = { 
/**
 * All that is known of it.
 */
known: Known, 
/**
 * How many that can be seen have its role, name and text; itself among them.
 */
alike: number, 
/**
 * What it holds never leaves the page.
 */
isSecret: boolean, };

export type UserDeedsArgs = { 
/**
 * How long to wait for the next one.
 */
limitMs: number, 
/**
 * The first question of a recording: what was done before is no part of it.
 */
begins: boolean, 
/**
 * Listen no longer, and tell of what is not finished.
 */
ends: boolean, };

export type UserDeed = { "clicked": { 
/**
 * Which.
 */
on: Described, } } | { "filled": { 
/**
 * In which field.
 */
on: Described, 
/**
 * What it holds now; absent of a secret.
 */
value?: string, 
/**
 * What is chosen now, where several can be; absent of a secret.
 */
chosen?: Array<string>, } } | { "entered": { 
/**
 * In which.
 */
on: Described, } } | { "wentTo": { 
/**
 * Where.
 */
url: string, } };

export type QueryArgs = { 
/**
 * Which elements.
 */
selector: Selector, 
/**
 * Only inside this element; inside the form of a field.
 */
within?: number, 
/**
 * Leave out what a person can't see.
 */
visibleOnly: boolean, 
/**
 * Describe so many at most; the rest is only counted.
 */
limit: number, 
/**
 * Cut an element's text here.
 */
textLetters: number, 
/**
 * Which attributes to tell; all if empty, none if absent.
 */
attributes?: Array<string>, 
/**
 * Which computed styles to tell.
 */
styles: Array<string>, };

export type Match = { 
/**
 * Its number in its document.
 */
id: number, 
/**
 * Lower-case tag name.
 */
tag: string, 
/**
 * ARIA role; empty if it has none.
 */
role: string, 
/**
 * Accessible name.
 */
name: string, 
/**
 * What it shows, white space folded.
 */
text: string, 
/**
 * Bits of `facts::flags`.
 */
flags: number, 
/**
 * x, y, width, height in CSS pixels of its frame's viewport.
 */
rect: [number, number, number, number], 
/**
 * Why a person can't see it: `display`, `visibility`, `opacity`, `size`,
 * `off_page`, `clipped`; absent if they can.
 */
hiddenBy?: string, 
/**
 * What lies over its middle, in words of the page.
 */
coveredBy?: string, 
/**
 * Its states.
 */
state: State, 
/**
 * A CSS selector that finds it, and only it.
 */
hint: string, 
/**
 * Those that were asked for. A secret's value is not among them.
 */
attributes?: { [key in string]: string }, 
/**
 * Those that were asked for.
 */
styles?: { [key in string]: string }, };

export type Queried = { 
/**
 * `location.origin` of the frame.
 */
origin: string, 
/**
 * Where the frame is among the others, as in [`PageFacts`](crate::facts::PageFacts).
 */
path?: Array<number>, 
/**
 * The frames in it in the order in which they stand, by their index in
 * `window.frames`.
 */
frames?: Array<number>, 
/**
 * How many there are.
 */
total: number, 
/**
 * The first ones.
 */
matches: Array<Match>, };

export type Located = { 
/**
 * The element, as `query` would tell of it.
 */
found: Queried, 
/**
 * The point, in CSS pixels of its own frame's viewport.
 */
point: [number, number], };

export type Metadata = { 
/**
 * `document.title`.
 */
title: string, 
/**
 * `location.href`.
 */
url: string, 
/**
 * `<html lang>`.
 */
language: string, 
/**
 * `document.characterSet`.
 */
charset: string, 
/**
 * `document.contentType`.
 */
contentType: string, 
/**
 * `document.lastModified`, as ISO 8601, where the server said so.
 */
lastModified?: string, 
/**
 * `<link rel>` worth knowing: canonical, alternate, icon, manifest, next, prev.
 */
links: Array<[string, string]>, 
/**
 * `<meta>` with a name or property, in order, values cut at 500 letters.
 */
meta: Array<[string, string]>, 
/**
 * `@type` of JSON-LD blocks.
 */
structured: Array<string>, 
/**
 * How many links, images, forms, headings, frames there are.
 */
counts: { [key in string]: number }, 
/**
 * What the user has decided for the site: `granted`, `denied`, or `prompt`
 * where the browser would ask them.
 */
permissions?: { [key in string]: string }, };

export type StorageArea = "local" | "session";

export type StorageArgs = { 
/**
 * The origin the call was authorized for.
 */
origin: string, 
/**
 * Which store.
 */
area: StorageArea, 
/**
 * What to do with it.
 */
access: StorageAccess, };

export type StorageAccess = { "do": "list" } | { "do": "get", 
/**
 * Whose.
 */
key: string, } | { "do": "set", 
/**
 * Under which name.
 */
key: string, 
/**
 * What.
 */
value: string, } | { "do": "delete", 
/**
 * Whose.
 */
key: string, } | { "do": "clear" };

export type Stored = { 
/**
 * What is there now: names, and how many letters their values have.
 */
entries: Array<[string, number]>, 
/**
 * The value that was asked for.
 */
value?: string, };

export type Vitals = { 
/**
 * By name: `ttfb`, `dom_ready`, `load`, `fcp`, `lcp`, `cls`, `inp`,
 * `long_tasks`, `blocked`, `requests`, `transferred_bytes`, `dom_nodes`,
 * `heap_bytes`.
 */
figures: { [key in string]: number }, 
/**
 * Whether the page was in front of a person when it was opened: a page that
 * is not paints nothing.
 */
wasHidden: boolean, };

export type PageToolsArgs = { 
/**
 * The origin the call was authorized for.
 */
origin: string, 
/**
 * Call this one; without, list them.
 */
call?: PageToolCall, };

export type PageToolCall = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it takes.
 */
arguments: Record<string, unknown>, 
/**
 * Give up after this.
 */
limitMs: number, 
/**
 * As it was judged: if it is another by now, it is not called.
 */
judged?: PageTool, };

export type PageTools = { 
/**
 * The browser knows of such tools at all.
 */
isSupported: boolean, 
/**
 * Those of the page.
 */
tools: Array<PageTool>, 
/**
 * What the called one answered, as JSON text.
 */
answer?: string, };

export type PageTool = { 
/**
 * Its name.
 */
name: string, 
/**
 * What it is called for people, if anything else.
 */
title?: string, 
/**
 * What it says it does.
 */
description: string, 
/**
 * What it takes, as JSON text.
 */
inputSchema: string, 
/**
 * It says that it changes nothing.
 */
isReadOnly: boolean, };

export type FactsArgs = { 
/**
 * Also what a person can't see, with the flag that says so.
 */
includeHidden: boolean, 
/**
 * Only what is in this element.
 */
root?: number, 
/**
 * The agent is told only a part of it: what elements were called when they were told
 * before stays what they were told to be called.
 */
inPart?: boolean, };

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
 * `page`, `step`, `true`…: the one of a set that is shown now.
 */
current?: string, 
/**
 * Being changed; what is in it may be incomplete.
 */
busy?: boolean, 
/**
 * Of a frame: its index in `window.frames`.
 */
frame?: number, 
/**
 * Of a list whose items are numbered: the first number; of an item, its own
 * where it isn't the next.
 */
start?: number, 
/**
 * Of a list whose items are numbered: downwards.
 */
reversed?: boolean, 
/**
 * Of a field that takes no plain text: `date`, `time`, `color`, `file`…
 */
kind?: string, 
/**
 * Has more in it than it shows, and can be scrolled.
 */
scrollable?: boolean, 
/**
 * Of a cell: how many columns it takes, where it is more than one.
 */
colspan?: number, 
/**
 * Of a cell: how many rows it takes, where it is more than one.
 */
rowspan?: number, 
/**
 * Of a list with more options than are told: how many there are.
 */
options?: number, 
/**
 * The words it shows, where its name says something else or nothing.
 */
shows?: string, 
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
 * The browser's own viewer shows it.
 */
isPdf?: boolean, 
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
 * Where the frame is among the others: for each frame on the way down from
 * the main one, its index in `window.frames` of its parent. None for a
 * frame that its parent doesn't list (one in a shadow root).
 */
path?: Array<number>, 
/**
 * The page changed faster than it could be walked, so parts of it may be
 * told as they were a moment earlier.
 */
changing?: boolean, 
/**
 * Number of the walk, where all of the page was told by it as a person sees it.
 */
walk?: number, 
/**
 * Letters of text that were left out, because there is more than any
 * reader takes.
 */
omittedLetters?: number, 
/**
 * In document order, what lies on top of the page first; a parent comes
 * before its children.
 */
nodes: (TextNode | ElementNode)[], };

export type RecordId = string;

export type LivingRecord = { 
/**
 * Its name.
 */
id: RecordId, 
/**
 * What its context is made of: `browser.page.context.v1`. It never changes.
 */
schema_name: string, 
/**
 * For people.
 */
title: string, 
/**
 * By which it is found. Each once, in the order in which they were given.
 */
tags: Array<string>, 
/**
 * What it is about.
 */
context: Record<string, unknown>, 
/**
 * 1 at first, and one more with every change.
 */
version: number, 
/**
 * When it was made.
 */
created_at: number, 
/**
 * When it was changed last.
 */
updated_at: number, 
/**
 * Who made it: a person, an agent, an extension. It never changes.
 */
owner: string, };

export type RecordEventKind = "record.created" | "record.updated" | "record.deleted";

export type RecordEvent = { 
/**
 * Its place among the events of one store, in the order in which they were
 * written. Volatile records are in a store of their own.
 */
seq: number, 
/**
 * What became of it.
 */
kind: RecordEventKind, 
/**
 * Which record.
 */
id: RecordId, 
/**
 * Its schema.
 */
schema_name: string, 
/**
 * Its tags after the change; the last ones of a record that is gone.
 */
tags: Array<string>, 
/**
 * Its version after the change. That of a deletion is one more than the last.
 */
version: number, 
/**
 * When.
 */
at: number, 
/**
 * Who made the record.
 */
owner: string, 
/**
 * Whether the record is in memory alone.
 */
volatile: boolean, };

export type RecordSelector = { 
/**
 * Of this schema.
 */
schema_name?: string | null, 
/**
 * With at least one of these tags.
 */
any_tags?: Array<string>, 
/**
 * With all of these tags.
 */
all_tags?: Array<string>, 
/**
 * With a context of which all of this holds.
 */
context_match?: Array<ContextCondition>, };

export type ContextCondition = { 
/**
 * Where: `content.headings.0`, or `$.content.headings.0`.
 */
path: string, 
/**
 * What must hold there.
 */
op: ContextOperator, 
/**
 * Compared with what.
 */
value: unknown, };

export type ContextOperator = "eq" | "ne" | "contains_any" | "gt" | "lt" | "exists";

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

export const HELM_VERSION = 2;

export const MAX_FRAME_BYTES = 33554432;

export const NATIVE_HOST = "com.outrigger.hub";

export const CDP_METHODS: readonly string[] = [
  "Emulation.clearDeviceMetricsOverride",
  "Emulation.setDeviceMetricsOverride",
  "Emulation.setEmulatedMedia",
  "Emulation.setFocusEmulationEnabled",
  "Emulation.setLocaleOverride",
  "Emulation.setTimezoneOverride",
  "Emulation.setTouchEmulationEnabled",
  "Emulation.setUserAgentOverride",
  "Input.dispatchKeyEvent",
  "Input.dispatchMouseEvent",
  "Input.insertText",
  "Network.deleteCookies",
  "Network.emulateNetworkConditions",
  "Network.enable",
  "Network.getCookies",
  "Network.setCookie",
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
  NotServed: 4006,
  NoHub: 4007,
} as const;

export const REUSED_REASON = "Refresh token used twice";

export const Flag = {
  Control: 1,
  Block: 2,
  InViewport: 4,
  Hidden: 8,
  Secret: 16,
  Covered: 32,
  OnTop: 64,
  Picture: 128,
} as const;
