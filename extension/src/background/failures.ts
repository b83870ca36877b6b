// Why a page could not be loaded, in words and with a code; and which failure a
// tab shows the browser's own page about, for whoever meets that page later.
import type { ErrorCode } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { onAnyNavigation } from "./navigation";

interface Meaning {
  pattern: RegExp;
  sentence: string;
  code?: ErrorCode;
}

const MEANINGS: Meaning[] = [
  {
    pattern: /NAME_NOT_RESOLVED|NAME_RESOLUTION/,
    sentence: "The name of the site was not found. Check the address.",
  },
  {
    pattern: /CONNECTION_REFUSED/,
    sentence: "Nothing answers at that address: the connection was refused.",
  },
  {
    pattern: /INTERNET_DISCONNECTED|NETWORK_CHANGED|ADDRESS_UNREACHABLE/,
    sentence: "The network can't be reached.",
  },
  { pattern: /TIMED_OUT/, sentence: "The site did not answer in time." },
  {
    pattern: /AUTH_CREDENTIALS|PROXY_AUTH/,
    sentence:
      "The site asks for a user name and a password in a prompt of the browser (HTTP authentication), which agents can't fill in. Ask the user to sign in in that tab, or, with a name and password that the user gave you for it, open the address with them in it: https://name:password@host/.",
    code: "auth_required",
  },
  {
    pattern: /CERT_DATE_INVALID/,
    sentence:
      "The site's certificate has run out or is not valid yet, so the browser stopped with a warning. Only the user can decide to go on: ask them, in that tab.",
  },
  {
    pattern: /CERT_COMMON_NAME_INVALID/,
    sentence:
      "The site's certificate is for another name, so the browser stopped with a warning. Check the address; only the user can decide to go on, in that tab.",
  },
  {
    pattern: /CERT_AUTHORITY_INVALID/,
    sentence:
      "The site's certificate is from nobody the browser trusts (it may be self-signed), so the browser stopped with a warning. Only the user can decide to go on: ask them, in that tab.",
  },
  {
    pattern: /CERT_/,
    sentence:
      "The site's certificate is not valid, so the browser stopped with a warning. Only the user can decide to go on: ask them, in that tab.",
  },
  {
    pattern: /SSL_|BAD_SSL/,
    sentence:
      "No encrypted connection to the site came about. Check the address: it may be http, not https.",
  },
  {
    pattern: /CACHE_MISS/,
    sentence:
      "That page was the answer to a form, and the browser sends no form again by itself. Don't reload it; open the form's own page if the user wants to send it once more.",
  },
  { pattern: /TOO_MANY_REDIRECTS/, sentence: "The site redirects in a circle." },
  {
    pattern: /BLOCKED_BY|UNSAFE_PORT|DISALLOWED/,
    sentence: "The browser blocked that address.",
  },
  {
    pattern: /EMPTY_RESPONSE|CONNECTION_(RESET|CLOSED)/,
    sentence: "The site closed the connection without an answer.",
  },
  {
    pattern: /HTTP_RESPONSE_CODE_FAILURE/,
    sentence: "The server answered with an error and without a page.",
  },
  {
    pattern: /ABORTED/,
    sentence:
      "The address led to no page: the server answered without content, or the navigation was stopped. The tab shows what it showed before.",
  },
];

/** Failures whose page is in the tab now. */
const shown = new Map<number, string>();

export function watchFailures(): void {
  onAnyNavigation(({ tabId, kind, error }) => {
    if (kind === "committed") shown.delete(tabId);
    // An abort leaves the page as it was.
    if (kind === "failed" && error && error !== "net::ERR_ABORTED") shown.set(tabId, error);
  });
  chrome.tabs.onRemoved.addListener((tabId) => shown.delete(tabId));
}

export function failureOf(net: string): Refused {
  const meaning = MEANINGS.find(({ pattern }) => pattern.test(net));
  if (meaning) return new Refused(meaning.code ?? "navigation_failed", meaning.sentence, { net });
  return new Refused("navigation_failed", "The page could not be loaded.", { net, by: net });
}

/** Where the browser shows its own page in place of the site's: what that is about. */
export function explainErrorPage(tabId: number, error: unknown): unknown {
  const isErrorPage = error instanceof Error && /showing error page/i.test(error.message);
  const net = isErrorPage ? shown.get(tabId) : undefined;
  return net === undefined ? error : failureOf(net);
}
