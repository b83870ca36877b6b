//! What pressing a control would do that can't be taken back: judged by its words
//! and by what is asked beside it, in six languages. A signal for asking the user
//! each time, whatever they allowed before; harmless look-alikes are left alone.

use std::fmt;

/// What can't be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Consequence {
    /// Money goes, or is owed.
    Pays,
    /// Money or goods go to somebody else.
    Transfers,
    /// Something is gone after.
    Deletes,
    /// Somebody gets to read it.
    Sends,
    /// Everybody gets to read it.
    Publishes,
    /// Who may get in, or how.
    ChangesAccess,
    /// Whatever was asked before.
    Confirms,
    /// Something that no word tells.
    Unknown,
}

impl fmt::Display for Consequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Consequence::Pays => "pays",
            Consequence::Transfers => "transfers",
            Consequence::Deletes => "deletes",
            Consequence::Sends => "sends",
            Consequence::Publishes => "publishes",
            Consequence::ChangesAccess => "access",
            Consequence::Confirms => "confirms",
            Consequence::Unknown => "unknown",
        })
    }
}

/// A control, as the page calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Control<'a> {
    /// Its role.
    pub role: &'a str,
    /// Its accessible name.
    pub name: &'a str,
    /// The words of the dialog, or of the heading, that it answers.
    pub asked: &'a str,
}

/// Longer names are sentences about something, not the name of an act.
const LONGEST_ACT: usize = 8;
/// A link mostly leads somewhere; one that acts is short and begins with the act.
const LONGEST_LINK: usize = 4;

/// Whether it does something that can't be taken back.
pub fn consequence(control: &Control<'_>) -> Option<Consequence> {
    let Control { role, name, asked } = control;
    if CHOICES.contains(role) {
        return choice(&words_of(name));
    }
    if !matches!(*role, "button" | "link" | "menuitem" | "generic" | "img") {
        return None;
    }
    let words = words_of(name);
    if ASSENTS.contains(&words.join(" ").as_str()) {
        let asked = words_of(asked);
        let own = if is_harmless(&asked) { None } else { act_in(&asked, false) };
        return own.or_else(|| act_in(&words, false));
    }
    let longest = if *role == "link" { LONGEST_LINK } else { LONGEST_ACT };
    if words.is_empty() || words.len() > longest || is_harmless(&words) {
        return None;
    }
    act_in(&words, *role == "link")
}

/// Whether choosing it does. Most choices only say how: with what to pay, whom to send
/// it to. What is done then, a button does, which is judged by itself.
fn choice(words: &[String]) -> Option<Consequence> {
    if is_harmless(words) || words.iter().any(|word| NEGATIONS.contains(&word.as_str())) {
        return None;
    }
    if CONSENTS.iter().any(|phrase| says(words, phrase, true)) {
        let is_named = |noun: &&str| words.iter().any(|word| word == noun);
        let named = CONSENTED.iter().find(|(_, nouns)| nouns.iter().any(is_named));
        return named.map(|(consequence, _)| *consequence);
    }
    let begins = words.iter().position(|word| !LEADING.contains(&word.as_str()))?;
    let words = &words[begins..];
    let act = act_at_an_end(words)?;
    let is_act = match act {
        Consequence::Deletes => true,
        // One word alone is the name of a kind of thing.
        Consequence::Transfers | Consequence::Publishes | Consequence::ChangesAccess => {
            words.len() > 1
        }
        Consequence::Pays | Consequence::Sends | Consequence::Confirms | Consequence::Unknown => {
            false
        }
    };
    (is_act && words.len() <= LONGEST_ACT && !HOW.iter().any(|phrase| says(words, phrase, false)))
        .then_some(act)
}

/// Some languages put the verb last.
pub(crate) fn act_at_an_end(words: &[String]) -> Option<Consequence> {
    let ends = |phrase: &str| {
        let sought: Vec<&str> = phrase.split(' ').collect();
        let last = words.len().saturating_sub(sought.len());
        words[last..].iter().eq(sought.iter())
    };
    ACTS.iter()
        .find(|(_, phrases)| phrases.iter().any(|one| says(words, one, true) || ends(one)))
        .map(|(consequence, _)| *consequence)
}

pub(crate) fn act_in(words: &[String], must_begin: bool) -> Option<Consequence> {
    ACTS.iter()
        .find(|(_, phrases)| phrases.iter().any(|one| says(words, one, must_begin)))
        .map(|(consequence, _)| *consequence)
}

pub(crate) fn is_harmless(words: &[String]) -> bool {
    HARMLESS.iter().any(|phrase| says(words, phrase, false))
}

/// Whether the words of a phrase stand in a row; after a `^`, at the beginning.
fn says(words: &[String], phrase: &str, must_begin: bool) -> bool {
    let (phrase, must_begin) = match phrase.strip_prefix('^') {
        Some(rest) => (rest, true),
        None => (phrase, must_begin),
    };
    let sought: Vec<&str> = phrase.split(' ').collect();
    let found = words.windows(sought.len()).position(|part| part.iter().eq(sought.iter()));
    found.is_some_and(|at| at == 0 || !must_begin)
}

/// In small letters, without what stands between them.
pub(crate) fn words_of(text: &str) -> Vec<String> {
    let letters = text.to_lowercase();
    let words = letters.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_owned).collect()
}

/// They say yes to what is asked.
const ASSENTS: [&str; 22] = [
    "ok",
    "okay",
    "yes",
    "continue",
    "proceed",
    "confirm",
    "accept",
    "ja",
    "bestätigen",
    "fortfahren",
    "oui",
    "continuer",
    "confirmer",
    "accepter",
    "sí",
    "continuar",
    "confirmar",
    "aceptar",
    "sim",
    "aceitar",
    "sì",
    "conferma",
];

/// The first that fits counts: to send money is more than to send.
const ACTS: [(Consequence, &[&str]); 7] = [
    (
        Consequence::ChangesAccess,
        &[
            "change password",
            "change your password",
            "reset password",
            "update password",
            "two factor",
            "2fa",
            "revoke",
            "api key",
            "ssh key",
            "access token",
            "recovery codes",
            "passwort ändern",
            "kennwort ändern",
            "passwort zurücksetzen",
            "zugriff widerrufen",
            "changer le mot de passe",
            "modifier le mot de passe",
            "réinitialiser le mot de passe",
            "révoquer",
            "cambiar contraseña",
            "cambiar la contraseña",
            "restablecer contraseña",
            "restablecer la contraseña",
            "revocar",
            "alterar senha",
            "alterar a senha",
            "redefinir senha",
            "redefinir palavra passe",
            "alterar palavra passe",
            "revogar",
            "cambia password",
            "modifica password",
            "reimposta password",
            "revoca",
        ],
    ),
    (
        Consequence::Transfers,
        &[
            "^transfer",
            "send money",
            "withdraw",
            "wire",
            "überweisen",
            "geld senden",
            "auszahlen",
            "virement",
            "virer",
            "retirer des fonds",
            "transferir",
            "enviar dinero",
            "retirar fondos",
            "enviar dinheiro",
            "sacar",
            "trasferisci",
            "invia denaro",
            "preleva",
            "bonifico",
        ],
    ),
    (
        Consequence::Pays,
        &[
            "pay",
            "buy",
            "purchase",
            "place order",
            "place your order",
            "submit order",
            "order now",
            "complete order",
            "confirm order",
            "subscribe for",
            "donate",
            "place bid",
            "kaufen",
            "bezahlen",
            "bestellen",
            "bestellung abschicken",
            "kauf abschließen",
            "kostenpflichtig",
            "zahlungspflichtig",
            "spenden",
            "gebot abgeben",
            "payer",
            "acheter",
            "commander",
            "valider la commande",
            "passer la commande",
            "finaliser",
            "faire un don",
            "pagar",
            "comprar",
            "realizar pedido",
            "finalizar compra",
            "finalizar pedido",
            "confirmar pedido",
            "donar",
            "fazer pedido",
            "confirmar pagamento",
            "doar",
            "paga",
            "acquista",
            "invia ordine",
            "completa l acquisto",
            "conferma ordine",
            "dona",
        ],
    ),
    (
        Consequence::Deletes,
        &[
            "delete",
            "erase",
            "empty trash",
            "remove member",
            "remove user",
            "remove account",
            "close account",
            "close my account",
            "löschen",
            "papierkorb leeren",
            "mitglied entfernen",
            "supprimer",
            "vider la corbeille",
            "effacer",
            "eliminar",
            "borrar",
            "vaciar papelera",
            "vaciar la papelera",
            "excluir",
            "apagar",
            "esvaziar lixeira",
            "elimina",
            "cancella",
            "svuota il cestino",
        ],
    ),
    (
        Consequence::Sends,
        &[
            "^send",
            "reply all",
            "reply to all",
            "^forward",
            "submit application",
            "senden",
            "abschicken",
            "absenden",
            "allen antworten",
            "weiterleiten",
            "envoyer",
            "répondre à tous",
            "transférer le message",
            "enviar",
            "responder a todos",
            "reenviar",
            "encaminhar",
            "invia",
            "rispondi a tutti",
            "inoltra",
        ],
    ),
    (
        Consequence::Publishes,
        &[
            "^post",
            "publish",
            "tweet",
            "go live",
            "veröffentlichen",
            "posten",
            "publier",
            "poster",
            "publicar",
            "postar",
            "pubblica",
        ],
    ),
    (
        Consequence::Confirms,
        &["^confirm", "i confirm", "^bestätigen", "^confirmer", "^confirmar", "^conferma"],
    ),
];

/// Roles of what is chosen or ticked.
const CHOICES: [&str; 7] =
    ["option", "checkbox", "radio", "switch", "menuitemcheckbox", "menuitemradio", "treeitem"];

/// Before the act in the words of a choice.
const LEADING: [&str; 26] = [
    "yes",
    "i",
    "want",
    "wish",
    "to",
    "please",
    "permanently",
    "immediately",
    "enable",
    "disable",
    "ja",
    "ich",
    "möchte",
    "bitte",
    "oui",
    "je",
    "veux",
    "sí",
    "quiero",
    "sim",
    "quero",
    "sì",
    "voglio",
    "aktivieren",
    "activer",
    "attiva",
];

/// What says that nothing is done.
const NEGATIONS: [&str; 15] = [
    "not", "don", "never", "no", "without", "nicht", "kein", "keine", "nie", "pas", "jamais",
    "nunca", "não", "non", "mai",
];

/// Ways of doing something that is done elsewhere.
const HOW: [&str; 4] = ["wire transfer", "post office", "after", "when"];

/// A box that is ticked with these says yes to what it names.
const CONSENTS: [&str; 24] = [
    "i authorise",
    "i authorize",
    "i hereby authorise",
    "i hereby authorize",
    "i confirm",
    "i hereby confirm",
    "i consent to",
    "i agree to pay",
    "i agree to transfer",
    "ich autorisiere",
    "ich ermächtige",
    "ich bestätige",
    "hiermit ermächtige ich",
    "hiermit bestätige ich",
    "j autorise",
    "je confirme",
    "je consens",
    "autorizo",
    "confirmo",
    "consiento",
    "acepto pagar",
    "concordo em pagar",
    "autorizzo",
    "confermo",
];

/// What such a yes is to.
const CONSENTED: [(Consequence, &[&str]); 3] = [
    (
        Consequence::Transfers,
        &[
            "transfer",
            "withdrawal",
            "überweisung",
            "auszahlung",
            "virement",
            "retrait",
            "transferencia",
            "transferência",
            "retirada",
            "bonifico",
            "prelievo",
        ],
    ),
    (
        Consequence::Pays,
        &[
            "pay",
            "payment",
            "charge",
            "debit",
            "purchase",
            "order",
            "zahlung",
            "abbuchung",
            "lastschrift",
            "bestellung",
            "kauf",
            "paiement",
            "prélèvement",
            "commande",
            "achat",
            "pagar",
            "pago",
            "cargo",
            "pedido",
            "compra",
            "pagamento",
            "débito",
            "addebito",
            "ordine",
            "acquisto",
        ],
    ),
    (
        Consequence::Deletes,
        &[
            "delete",
            "deletion",
            "erasure",
            "löschen",
            "löschung",
            "suppression",
            "supprimer",
            "eliminación",
            "eliminar",
            "borrado",
            "exclusão",
            "excluir",
            "eliminazione",
            "cancellazione",
        ],
    ),
];

/// Said of things that one of the acts is only part of.
const HARMLESS: [&str; 14] = [
    "filter",
    "filters",
    "filtre",
    "filtro",
    "filtros",
    "order by",
    "sort order",
    "post code",
    "pay per",
    "preview",
    "draft",
    "entwurf",
    "how to",
    "send feedback",
];
