//! A web page in a real Chromium tries to reach the hub by all that a page has,
//! with the hub's own tokens in its hands: it learns nothing, and nothing
//! happens.

use outrigger_testkit::{Kit, Pages};
use serde_json::{Value, json};

/// Tries everything and writes down what it could read.
const PAGE: &str = r#"<!doctype html><title>At work</title><h1>Page</h1><script>
const port = PORT, token = 'AGENT_TOKEN', pairing = 'PAIRING_TOKEN';
const names = ['127.0.0.1', 'localhost', 'rebound.test'];
const paths = ['/health', '/', '/extension', '/agent', '/mcp', '/mcp?token=' + token,
  '/api/v1/events?schema_name=browser.page.context.v1', '/api/v1/records', '/api/v1/openapi.json', '/auth/session'];
// What could be read of the hub, and of a place that is open.
const got = [], read = [];
let tried = 0;
const patience = (work) => Promise.race([work, new Promise((done) => setTimeout(done, 15_000))]);
const attempt = async (what, work, list) => {
  try {
    const seen = await patience(work());
    if (seen) list.push(what + ': ' + seen);
  } catch { /* nothing was read */ }
};
const call = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {
  name: 'browser_tabs', arguments: {action: 'list'}, _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': {name: 'page', version: '1'},
    'io.modelcontextprotocol/clientCapabilities': {}}}});
// Bodies that would do something, were they taken: what tightens needs no user.
const writes = [
  ['/api/v1/records', 'POST', {schema_name: 'note.v1', context: {text: 'page'}}],
  ['/api/v1/breadcrumbs', 'POST', {schema_name: 'note.v1', context: {text: 'page'}}],
  ['/api/v1/chat/tool-permissions', 'PUT',
    {toolPattern: '*', originPattern: '*', decision: 'deny_always'}],
  ['/api/v1/tokens', 'POST', {name: 'page', scope: 'read'}],
];
const mcp = {'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'browser_tabs',
  Accept: 'application/json, text/event-stream'};

const fetched = async (url, options) => {
  const answer = await fetch(url, options);
  return answer.type + ' ' + answer.status + ' ' + (await answer.text());
};
const fetches = (url) => ['omit', 'include'].flatMap((credentials) => [
  ['cors', {credentials}],
  ['cors with token', {credentials, headers: {Authorization: 'Bearer ' + token}}],
  ['cors call', {credentials, method: 'POST', body: call,
    headers: {...mcp, Authorization: 'Bearer ' + token, 'Content-Type': 'application/json'}}],
  ['cors simple post', {credentials, method: 'POST', body: call, headers: {'Content-Type': 'text/plain'}}],
  ['cors options', {credentials, method: 'OPTIONS'}],
  ['cors delete', {credentials, method: 'DELETE'}],
  ['no-cors', {credentials, mode: 'no-cors'}],
  ['no-cors post', {credentials, mode: 'no-cors', method: 'POST', body: call}],
  ['no-cors keepalive', {credentials, mode: 'no-cors', method: 'POST', body: call, keepalive: true}],
  ['no-cors no-referrer', {credentials, mode: 'no-cors', referrerPolicy: 'no-referrer'}],
].map(([what, options]) => [what + ' ' + credentials, () => fetched(url, options)]));

const socket = (url, protocols) => new Promise((done) => {
  const opened = new WebSocket(url.replace('http', 'ws'), protocols);
  opened.onopen = () => {
    opened.send(JSON.stringify({type: 'handshake', clientType: 'extension', clientId: 'page', pairingToken: pairing}));
    done('opened');
  };
  opened.onerror = () => done();
});
const source = (url, withCredentials) => new Promise((done) => {
  const stream = new EventSource(url, {withCredentials});
  stream.onopen = stream.onmessage = () => done('opened');
  stream.onerror = () => { stream.close(); done(); };
});
const element = (tag, key, url, more = {}) => new Promise((done) => {
  const made = Object.assign(document.createElement(tag), more);
  made.onload = made.onloadedmetadata = () => done('loaded');
  made.onerror = () => done();
  made[key] = url;
  document.body.append(made);
});
const inside = (frame) => {
  // A document of another origin is null here; one that can be read is not.
  const seen = frame.contentDocument?.body?.textContent;
  return seen || (frame.contentWindow.length ? 'frames' : '');
};
const frame = (url, more = {}) => new Promise((done) => {
  const made = Object.assign(document.createElement('iframe'), more);
  made.onload = () => done(inside(made));
  made.src = url;
  document.body.append(made);
});
let forms = 0;
const form = (url, enctype) => new Promise((done) => {
  const target = document.createElement('iframe');
  target.name = 'form-' + forms++;
  document.body.append(target);
  const made = Object.assign(document.createElement('form'), {action: url, method: 'post', enctype, target: target.name});
  const field = Object.assign(document.createElement('input'), {name: call.slice(0, -1) + ',"', value: '":1}'});
  made.append(field);
  document.body.append(made);
  target.onload = () => done(inside(target));
  made.submit();
});
const writings = (name) => writes.flatMap(([path, method, body]) => {
  const url = 'http://' + name + ':' + port + path;
  const text = JSON.stringify(body);
  const json = {'Content-Type': 'application/json', Authorization: 'Bearer ' + token};
  return [
    ['write ' + url, () => fetched(url, {method, body: text, headers: json})],
    ['write without token ' + url, () => fetched(url, {method, body: text})],
    ['write no-cors ' + url, () => fetched(url, {mode: 'no-cors', method: 'POST', body: text})],
    ['write beacon ' + url, async () => {
      navigator.sendBeacon(url, new Blob([text], {type: 'application/json'}));
    }],
  ];
});
const ways = (url) => [
  ...fetches(url),
  ['eventsource', () => source(url, false)],
  ['eventsource with credentials', () => source(url, true)],
  ['image', () => element('img', 'src', url)],
  ['image cors', () => element('img', 'src', url, {crossOrigin: 'use-credentials'})],
  ['script', () => element('script', 'src', url)],
  ['module', () => element('script', 'src', url, {type: 'module'})],
  ['style', () => element('link', 'href', url, {rel: 'stylesheet'})],
  ['preload', () => element('link', 'href', url, {rel: 'preload', as: 'fetch'})],
  ['video', () => element('video', 'src', url)],
  ['object', () => element('object', 'data', url)],
  ['beacon', async () => { navigator.sendBeacon(url, call); }],
  ['beacon json', async () => { navigator.sendBeacon(url, new Blob([call], {type: 'application/json'})); }],
  ['frame', () => frame(url)],
  ['frame in a sandbox', () => frame(url, {sandbox: 'allow-scripts'})],
  ['form', () => form(url, 'text/plain')],
  ['form of names', () => form(url, 'application/x-www-form-urlencoded')],
];
const tryAll = async (url, list) => {
  await Promise.all(ways(url).map(([what, work]) => attempt(what + ' ' + url, work, list)));
  document.querySelectorAll('iframe, form, img, video, object').forEach((made) => made.remove());
};
// Chrome makes a page that failed wait for its next socket, so there are few.
const sockets = async () => {
  for (const [name, path] of [['127.0.0.1', '/extension'], ['localhost', '/agent'], ['rebound.test', '/']]) {
    const url = 'http://' + name + ':' + port + path;
    await attempt('websocket ' + url, () => socket(url, ['mcp', token]), got);
    tried += 1;
  }
};
const pages = async () => {
  for (const name of names) for (const path of paths) {
    const url = 'http://' + name + ':' + port + path;
    tried += ways(url).length;
    await tryAll(url, got);
  }
  for (const name of names) {
    const all = writings(name);
    tried += all.length;
    await Promise.all(all.map(([what, work]) => attempt(what, work, got)));
  }
};
const work = async () => {
  // What lets itself be read is read: the page would know.
  await tryAll('/open', read);
  await attempt('websocket /echo', () => socket(location.origin + '/echo'), read);
  await Promise.all([pages(), sockets()]);
  document.title = 'Done';
};
window.told = () => ({tried, got, read: read.map((line) => line.split(' ')[0])});
work();
</script>"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_tries_everything_reads_nothing_and_nothing_happens() {
    let kit = Kit::start().await;
    let (agent, pairing) = (kit.hub().agent_token(), kit.hub().pairing_token());
    let page = PAGE
        .replace("PORT", &kit.settings.port.to_string())
        .replace("AGENT_TOKEN", agent.reveal())
        .replace("PAIRING_TOKEN", pairing.reveal());
    let pages = Pages::serve(&[("/page", &page), ("/open", "1")]).await;
    kit.launch().await;
    let client = kit.client().await;
    client.ok("browser_tabs", json!({"action": "list"})).await;
    let before = kit.doings().await;
    let mut calls = 0;
    // Another port of this machine, and another site.
    let other_site = pages.url("/page").replace("127.0.0.1", "evil.test");
    for address in [pages.url("/page"), other_site] {
        client.ok("browser_navigate", json!({"url": address})).await;
        calls += 1;
        let mut told = Value::Null;
        while told.is_null() {
            let done = json!({"function": "() => document.title === 'Done' && told()"});
            let said = client.ok("browser_evaluate", done).await;
            client.ok("browser_wait", json!({"ms": 200})).await;
            calls += 2;
            if let (Some(start), Some(end)) = (said.find('{'), said.rfind('}')) {
                told = serde_json::from_str(&said[start..=end]).unwrap();
            }
        }
        assert_eq!(told["got"], json!([]), "{address}");
        assert!(told["tried"].as_u64().unwrap() > 1_000, "{told}");
        let read = told["read"].as_array().unwrap();
        for way in ["cors", "no-cors", "script", "frame", "form", "object", "websocket"] {
            assert!(read.contains(&json!(way)), "{way} reads what is open: {told}");
        }
    }
    let api = kit.api();
    for path in ["records?schema_name=note.v1", "chat/tool-permissions", "tokens"] {
        let kept = api.ask("GET", &format!("/api/v1/{path}"), Value::Null).await;
        let list =
            ["items", "policies", "tokens"].iter().find_map(|name| kept.body[name].as_array());
        let list = list.or(kept.body.as_array());
        assert_eq!((kept.status, list.map(Vec::len)), (200, Some(0)), "{path}: {}", kept.body);
    }
    let after = kit.doings().await;
    assert_eq!(after["links"], before["links"], "no link was made");
    let count = |doings: &Value| doings["sessions"].as_array().unwrap().clone();
    let (before, after) = (count(&before), count(&after));
    assert_eq!((before.len(), after.len()), (1, 1), "no session was made: {after:?}");
    let made = after[0][1].as_u64().unwrap() - before[0][1].as_u64().unwrap();
    assert_eq!(made, calls, "no call but ours was made");
}
