// The words by which a field is known to hold a secret: in its name for programs,
// and in what people read beside it. Whose words they are is known elsewhere.

/** The short ones count as whole words only: a passenger, a compass and a spinner are no secrets. */
const NAMES =
  /passw(or)?d|\b(pass|pin|passphrase|passcode|pwd|(card|cc|credit card) ?(number|num|no)|cvc|cvv|csc|security code|otp|totp|one ?time ?(code|password|pin)|(2fa|mfa|sms|auth|verification) ?code|ssn|social security)\d?\b/;

const LABELS =
  /passw(or)?d|passphrase|passcode|\b((cvc|cvv|csc|otp|totp)\d?|(one|single)[- ]time|(security|verification|authentication|sms|2fa|mfa) code|(credit |debit )?card (number|no)|social security)\b/;

/** A code that is for the reader alone, by how it came or by how long it is. */
const SENT_CODE =
  /\b((\d{1,2}|four|five|six|eight)[- ]digit (verification |security |login |access |confirmation )?code|(?<!\b(promo|discount|coupon|voucher|gift|referral|invite|invitation|country|zip|postal) )code ((that |which )?(we|was|has been|we have|we've) (just )?(sent|texted|e-?mailed)|sent to|from (your|the) (authenticator|phone|text|sms|e-?mail)))\b/;

/** Only in capitals: a pin may be a needle on a map. A PIN code may be a place. */
const PIN = /(?<![\p{L}\p{N}])PIN(?![\p{L}\p{N}]|[ -]?[Cc](ode|ODE))/u;
const PIN_ALONE =
  /^((please|enter|type|confirm|repeat|re-?enter|choose|create|new|old|current|your|the|a|card|sim|\d[- ]digit) )*pin( number)?$/;

/** Nothing says which code; promo codes and the like do. */
const SOME_CODE =
  /^((please|enter|type|your|the|this|a|login|log-in|sign-in|access|confirmation) )*code( here)?$/;

const PASSWORDS_ELSEWHERE = [
  String.raw`\p{L}*(passwort|kennwort|wachtwoord)`,
  "mots? ?de ?passe",
  "contrase[ñn]as?",
  "senhas?",
  // In Italian it is any word, and a key word in a search.
  "(?<!cerca |una |per )parol[aă](?! chiave)",
  "has[łl][oa]",
  "парол[ьяею]",
];
const CODES_ELSEWHERE = [
  String.raw`\p{L}*(best(ä|ae)tigungs|sicherheits|verifizierungs)-?code`,
  "code de (v[ée]rification|s[ée]curit[ée])",
  "c[óo]digo de (verificaci[óo]n|verifica[çc][ãa]o|seguridad|seguran[çc]a)",
  "codice di (verifica|sicurezza)",
  "(verificatie|beveiligings)code",
  "kod weryfikacyjny",
  "код(а|ом)? подтверждения",
];
/** Where words are written without blanks between them. */
const UNSPACED = "密码|密碼|验证码|驗證碼|パスワード|認証コード|비밀번호|인증번호";
const ELSEWHERE = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(${[...PASSWORDS_ELSEWHERE, ...CODES_ELSEWHERE].join("|")})(?!\p{L})|${UNSPACED}`,
  "u",
);

const CARD =
  /(?<!\p{L})(cards?|cc|(kredit)?karten?(nummer)?|carte|tarjeta|cart[ãa]o|carta|kaart|karta|карт[аы])(?!\p{L})|卡号|卡號|カード|카드/u;

/** Of a name, an id or an `autocomplete`. */
export function isNameOfSecret(name: string): boolean {
  const words = wordsOfName(name);
  return NAMES.test(words) || ELSEWHERE.test(words);
}

/** Of what people read. Fewer words are known than of names: a pin code may be a place. */
export function isLabelOfSecret(label: string): boolean {
  const words = plain(label);
  if (LABELS.test(words) || SENT_CODE.test(words) || ELSEWHERE.test(words)) return true;
  return PIN.test(label) || PIN_ALONE.test(words);
}

/** Of a field that takes a short number, and nothing else. */
export function isLabelOfCode(label: string): boolean {
  return SOME_CODE.test(plain(label));
}

/** Of names and of what people read. */
export function speaksOfCard(words: string): boolean {
  return CARD.test(wordsOfName(words.normalize("NFC")).replace(/\d+/g, " "));
}

/** The words that a name for programs is made of. */
export function wordsOfName(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replace(/[-_.[\]:]+/g, " ")
    .toLowerCase();
}

/** In small letters, with one blank between words and without what ends a label. */
function plain(label: string): string {
  return label
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/^ |[ :*.…]+$/g, "");
}
