// Which fields hold secrets. Decided here, in the page, so that their values
// never leave it.

const AUTOCOMPLETE = /(^|\s)(one-time-code|current-password|new-password|cc-[a-z-]+)(\s|$)/;

/** Words in a field's name or id. `pin` alone is a postal code to many. */
const WORDS =
  /\b(passw(or)?d|passphrase|passcode|pwd|(card|cc|credit card) ?(number|num|no)|cvc|cvv|csc|security code|otp|totp|one ?time ?(code|password|pin)|(2fa|mfa|sms|auth|verification) ?code|ssn|social security)\d?\b/;

/** Fields that were of type `password` once; showing what was typed does not make it public. */
const wasPassword = new WeakSet<Element>();

export function isSecret(element: Element): boolean {
  if (element instanceof HTMLInputElement) {
    if (element.type === "password") wasPassword.add(element);
    if (wasPassword.has(element)) return true;
  } else if (!(element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement)) {
    return false;
  }
  const autocomplete = element.getAttribute("autocomplete");
  if (autocomplete && AUTOCOMPLETE.test(autocomplete.toLowerCase())) return true;
  return hasSecretName(element.getAttribute("name")) || hasSecretName(element.id);
}

/** Watches for fields that the page turns from `password` into something else. */
export function rememberPasswordFields(): void {
  for (const field of document.querySelectorAll("input[type=password i]")) wasPassword.add(field);
  new MutationObserver((changes) => {
    for (const { target, oldValue } of changes) {
      if (oldValue?.toLowerCase() === "password") wasPassword.add(target as Element);
    }
  }).observe(document, {
    subtree: true,
    attributeFilter: ["type"],
    attributeOldValue: true,
  });
}

function hasSecretName(name: string | null): boolean {
  if (!name) return false;
  const words = name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replace(/[-_.[\]:]+/g, " ")
    .toLowerCase();
  return WORDS.test(words);
}
