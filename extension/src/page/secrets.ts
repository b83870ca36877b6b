// Which fields hold secrets. Decided here, in the page, so that their values
// never leave it.
import { isTextField } from "./field";
import { notePasswordField, wasPasswordField } from "./password-memory";

const AUTOCOMPLETE = /(^|\s)(one-time-code|current-password|new-password|cc-[a-z-]+)(\s|$)/;

/**
 * Words in a field's name, id or `autocomplete`. The short ones count as whole
 * words only: a passenger, a compass and a spinner are no secrets.
 */
const WORDS =
  /passw(or)?d|\b(pass|pin|passphrase|passcode|pwd|(card|cc|credit card) ?(number|num|no)|cvc|cvv|csc|security code|otp|totp|one ?time ?(code|password|pin)|(2fa|mfa|sms|auth|verification) ?code|ssn|social security)\d?\b/;

export function isSecret(element: Element): boolean {
  if (element instanceof HTMLInputElement) {
    if (element.type === "password") notePasswordField(element);
    if (isTextField(element) && wasPasswordField(element)) return true;
  } else if (!(element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement)) {
    return false;
  }
  const autocomplete = element.getAttribute("autocomplete");
  if (autocomplete && AUTOCOMPLETE.test(autocomplete.toLowerCase())) return true;
  return [autocomplete, element.getAttribute("name"), element.id].some(hasSecretName);
}

function hasSecretName(name: string | null): boolean {
  if (!name) return false;
  const words = name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/[-_.[\]:]+/g, " ")
    .toLowerCase();
  return WORDS.test(words);
}
