//! Which names promise a secret. A name is taken apart into words, so that
//! `accessToken`, `access_token` and `X-Access-Token` are the same, and
//! `tokenizer` isn't one of them. Passwords have names in other languages, too.

use super::values::is_accent;

/// Words that make a name secret.
const WORDS: [&str; 30] = [
    "apikey",
    "auth",
    "authorization",
    "cookie",
    "credential",
    "credentials",
    "contrasena",
    "csrf",
    "dpop",
    "haslo",
    "jsessionid",
    "jwt",
    "passcode",
    "passphrase",
    "passwd",
    "password",
    "passwords",
    "phpsessid",
    "pw",
    "pwd",
    "secret",
    "secrets",
    "senha",
    "session",
    "sessionid",
    "sessid",
    "signature",
    "ssn",
    "token",
    "xsrf",
];

/// Endings of words that were written together, such as `csrfmiddlewaretoken`.
const ENDINGS: [&str; 14] = [
    "token",
    "password",
    "secret",
    "apikey",
    "sessionid",
    "kennwort",
    "passwort",
    "motdepasse",
    "wachtwoord",
    "пароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
];

/// What makes a name secret as its last word: an Italian `parola_chiave` is a keyword.
const LAST: [&str; 1] = ["parola"];

/// Words before `key` that make it a secret one.
const KEYS: [&str; 9] = [
    "access",
    "account",
    "api",
    "auth",
    "encryption",
    "functions",
    "private",
    "secret",
    "subscription",
];

/// Last words that say that it is about a secret, not one.
const ABOUT: [&str; 22] = [
    "age",
    "algorithm",
    "count",
    "endpoint",
    "expires",
    "expiry",
    "in",
    "input",
    "length",
    "limit",
    "method",
    "methods",
    "name",
    "policy",
    "required",
    "state",
    "status",
    "storage",
    "strength",
    "type",
    "uri",
    "url",
];

/// More names of parameters and fields that hold a secret by themselves.
const FIELDS: [&str; 9] = ["cvc", "cvv", "otp", "pass", "pin", "sid", "sig", "totp", "credential"];

/// Whether a name promises a secret.
pub(super) fn is_secret(name: &str) -> bool {
    let mut found = false;
    let mut last = String::new();
    let mut before_last = String::new();
    for word in words(name) {
        // `password2` repeats the first.
        let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
        found |= WORDS.contains(&word)
            || ENDINGS.iter().any(|ending| word.ends_with(ending))
            || (word == "key" && KEYS.contains(&last.as_str()))
            || (word == "passe" && last == "de" && before_last == "mot");
        before_last = std::mem::replace(&mut last, word.to_owned());
    }
    found |= LAST.contains(&last.as_str());
    found && !ABOUT.contains(&last.as_str())
}

/// Whether a field of a form or an object of this name holds a secret.
pub(super) fn is_secret_field(name: &str) -> bool {
    is_secret(name) || FIELDS.iter().any(|field| name.eq_ignore_ascii_case(field))
}

/// Whether a parameter of an address does: there `key` alone is one as well.
pub(super) fn is_secret_parameter(name: &str) -> bool {
    is_secret_field(name) || name.eq_ignore_ascii_case("key")
}

/// The words of a name, in lower case. Letters of Latin script and others are no one
/// word, as where a language writes none of its words apart.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    let mut was_ascii = true;
    for character in name.chars().filter(|c| !is_accent(*c)).map(without_accent) {
        let is_other = character.is_ascii() != was_ascii;
        let begins = is_other
            || !character.is_alphanumeric()
            || (character.is_ascii_uppercase() && was_lower);
        if begins && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        was_lower = character.is_ascii_lowercase();
        was_ascii = character.is_ascii();
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

/// The letters with accents that words of ours have.
fn without_accent(character: char) -> char {
    match character {
        'ñ' => 'n',
        'Ñ' => 'N',
        'ł' => 'l',
        'Ł' => 'L',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_judged_by_its_words() {
        for name in [
            "token",
            "access_token",
            "accessToken",
            "X-Access-Token",
            "refresh-token",
            "csrfmiddlewaretoken",
            "api_key",
            "apiKey",
            "X-API-Key",
            "client_secret",
            "newPassword",
            "password2",
            "oldPasswords",
            "pw",
            "userPw",
            "sessionId",
            "X-Amz-Security-Token",
            "X-Amz-Signature",
            "privateKey",
            "kennwort",
            "neuesPasswort",
            "benutzerkennwort",
            "contraseña",
            "CONTRASEÑA",
            "contrasen\u{303}a",
            "contrasena",
            "motdepasse",
            "mot_de_passe",
            "motDePasse",
            "senha",
            "nova_senha",
            "parola",
            "wachtwoord",
            "haslo",
            "hasło",
            "пароль",
            "НовыйПароль",
            "новый_пароль2",
            "密码",
            "用户密码",
            "请求token",
            "パスワード",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "tokenizer",
            "max_tokens",
            "token_type",
            "tokenType",
            "secretary",
            "key",
            "keyboard",
            "monkey",
            "session_storage",
            "sessionStorage",
            "passport",
            "compass",
            "pwa",
            "author",
            "authors",
            "parola_chiave",
            "wort",
            "passe",
            "mode_de_passe",
            "контроль",
            "密码_length",
            "",
            "é",
            "-",
        ] {
            assert!(!is_secret(name), "{name}");
        }
        assert!(
            is_secret_parameter("key") && is_secret_parameter("SIG") && !is_secret_field("key")
        );
    }
}
