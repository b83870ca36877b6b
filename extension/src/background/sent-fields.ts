// Names of what a request sends in its body: fields of a form or keys of a
// JSON object. Values are never kept, since passwords are among them.

const MOST_NAMES = 100;
const LONGEST_NAME = 200;

export function sentFields(body: string, contentType: string): string[] {
  const names = namesIn(body, contentType.toLowerCase());
  return [...new Set(names)].slice(0, MOST_NAMES).map((name) => name.slice(0, LONGEST_NAME));
}

function namesIn(body: string, contentType: string): string[] {
  if (contentType.includes("x-www-form-urlencoded")) return [...new URLSearchParams(body).keys()];
  if (contentType.includes("multipart/")) return namesOfParts(body);
  // Pages send JSON under many types, and often under that of plain text.
  return keysOfJson(body);
}

function namesOfParts(body: string): string[] {
  const headers = body.matchAll(/^content-disposition:[^\r\n]*?[;\s]name="([^"\r\n]*)"/gim);
  return [...headers].map(([, name = ""]) => name);
}

function keysOfJson(body: string): string[] {
  try {
    const sent: unknown = JSON.parse(body);
    const first: unknown = Array.isArray(sent) ? sent[0] : sent;
    return typeof first === "object" && first !== null ? Object.keys(first) : [];
  } catch {
    return [];
  }
}
