// Whether the browser has no screen: then nobody looks at what is in front, and
// nothing covers it.

export function isHeadless(): boolean {
  return /\bHeadlessChrome\b/.test(navigator.userAgent);
}
