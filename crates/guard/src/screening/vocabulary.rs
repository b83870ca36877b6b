//! The words that the rules are made of, in classes, in the languages that
//! most injections are written in. A star stands for any ending.

use std::collections::HashMap;

/// A set of classes, a bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Classes([u128; 2]);

impl Classes {
    /// The class of this number alone; none, if there is no room for it.
    fn only(number: usize) -> Self {
        let mut classes = Classes::default();
        if let Some(half) = classes.0.get_mut(number / 128) {
            *half = 1 << (number % 128);
        }
        classes
    }

    pub(super) fn or(self, other: Self) -> Self {
        Classes([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    /// Whether any class is in both.
    pub(super) fn meets(self, other: Self) -> bool {
        (self.0[0] & other.0[0]) | (self.0[1] & other.0[1]) != 0
    }
}

/// Class by class, lower case and without accents.
#[rustfmt::skip]
const CLASSES: &[(&str, &str)] = &[
    ("ignore", "ignore ignoring disregard disregarding forget neglect override overrides supersede supersedes overrule \
        ignorez oublie oubliez ignoriere ignorieren ignoriert vergiss vergesst missachte \
        ignora ignoren ignorad olvida olvide olvidad olvidate descarta desconsidere desconsidera \
        esqueca esquece ignorate ignori dimentica dimenticate dimentichi trascura"),
    ("prior", "previous previously prior above earlier preceding foregoing original initial existing past before \
        precedent* anterieur* dessus vorherig* vorig* bisherig* obig* fruher* vorangegangen* zuvor \
        anterior* previas previos previa previo arriba acima precedent*"),
    ("above", "above dessus oben obige arriba acima sopra"),
    ("all", "all any every your toutes tous tout vos tes alle allen deine ihre jegliche \
        todas todos tus sus suas tutte tutti tue"),
    ("orders", "instruction instructions directive directives guideline guidelines prompt prompts programming inputs \
        directions rules commands orders constraints consignes ordres regles anweisung anweisungen instruktionen befehle vorgaben regeln \
        instrucciones instruccion ordenes indicaciones reglas directrices instrucoes ordens regras comandos diretrizes \
        istruzioni istruzione ordini regole comandi direttive"),
    ("instructions", "instruction instructions directives prompt prompts programming consignes anweisung anweisungen \
        instruktionen instrucciones instrucoes istruzioni"),
    ("everything", "everything anything tout alles todo tudo tutto"),
    ("content", "data content contents text texts document documents context rest page message messages everything above"),
    ("told", "told given learned learnt instructed said"),
    ("output", "print say output respond reply answer write tell type repeat recommend translate return"),
    ("only", "only just exactly simply instead"),
    ("follow", "follow obey heed adhere"),
    ("not", "not dont never cannot cant without ne pas nicht kein keine nie no nunca jamas nao non mai stop"),
    ("you", "you youre tu vous te du sie usted voce"),
    ("are", "are re es etes bist sind eres e sei"),
    ("now", "now maintenant desormais jetzt nun ahora agora adesso ora"),
    ("article", "a an the my our in called named un une ein eine um uma una il lo"),
    ("persona", "dan ai assistant bot chatbot llm gpt chatgpt unrestricted unfiltered uncensored jailbroken hacker evil \
        malicious attacker amoral persona pirate ki ia assistent assistente asistente modele"),
    ("special", "developer debug god jailbreak dan sudo unrestricted maintenance admin root"),
    ("act", "act respond answer behave reply obey pretend speak comply"),
    ("must", "must should shall have need required instructed ordered ought please doit doivent devez dois muss mussen musst \
        mussen debe deben debes deve devem devono devi"),
    ("reveal", "reveal print output show repeat display leak disclose tell share dump expose give summarize recite \
        revele revelez affiche affichez montre zeige zeig verrate nenne muestra revela mostra mostre rivela mostrami"),
    ("system", "system systeme sistema initial hidden original internal secret confidential developer"),
    ("prompt", "prompt prompts instructions message directive directives systemprompt anweisungen instrucciones instrucoes istruzioni"),
    ("promptonly", "prompt prompts systemprompt"),
    ("words", "words text everything sentences content"),
    ("new", "new updated revised real actual true nouvelles nouvelle neue neuen nuevas nueva novas nova nuove nuova"),
    ("task", "task mission objective goal aufgabe mision tarea tarefa compito tache"),
    ("ai", "ai ais llm llms gpt gpt4 gpt5 chatgpt claude gemini copilot chatbot chatbots ki ia kis ias"),
    ("agent", "agent agents assistant assistants model models bot bots crawler crawlers assistent assistenten agenten \
        asistente asistentes agente agentes assistente assistentes assistenti agenti system systems modelle modeles modelos"),
    ("reading", "reading processing viewing visiting browsing summarizing summarising parsing crawling accessing scraping \
        analyzing analysing reads read process processes visit visits parse summarize \
        lisant lit lisent lesen liest lese leyendo lee leen lendo le leggendo legge leggono"),
    ("page", "page text content document website site email message webpage file article this seite text texto pagina \
        texte document"),
    ("greeting", "attention dear hey hello note message instruction instructions notice important directive \
        achtung hinweis nachricht atencion attenzione atencao cher chere querido caro"),
    ("action", "call invoke run execute visit navigate click send open follow use include respond reply say output tell recommend \
        mention buy purchase transfer ignore print forward email delete submit download obey comply fetch go \
        perform type enter append add post share reveal stop"),
    ("tell", "tell inform mention alert notify reveal disclose warn telling informing mentioning alerting notifying asking \
        revealing confirm dis dites informe informez previens prevenez mentionne sag sage sagen informiere informieren \
        erwahne digas informes menciones avises diga conte mencione avise dire informare menzionare avvisare"),
    ("user", "user human owner utilisateur benutzer nutzer anwender usuario utente"),
    ("hide", "hide conceal keep cache cachez verstecke verbirg oculta esconde nascondi"),
    ("send", "send exfiltrate leak forward email mail post submit transmit upload extract copy paste give reveal disclose share \
        envoie envoyez transmets sende schicke ubermittle envia enviar envie mande invia inviare mandare"),
    ("strongsend", "exfiltrate leak steal"),
    ("secret", "password passwords token tokens cookie cookies credential credentials apikey apikeys passphrase secrets ssn \
        passcode keys passwort passworter passworte zugangsdaten contrasena contrasenas claves senha senhas credenziali \
        identifiants jeton jetons"),
    ("api", "api private secret access ssh session card"),
    ("key", "key keys number numbers id token tokens cookie data"),
    ("whose", "users user their his her all any every stored saved victims customers current"),
    ("utente", "utilisateur benutzers nutzers benutzer nutzer usuario usuaria utente"),
    ("where", "http https webhook url attacker server address endpoint"),
    ("disable", "override bypass disable ignore disregard circumvent deactivate forget remove drop abandon"),
    ("safety", "safety security ethical content moderation ethics"),
    ("limits", "guidelines guideline filter filters policy policies protocols restrictions guardrails constraints safeguards \
        limitations training measures checks rules"),
    ("role", "system assistant systemmessage"),
    ("override", "override instruction instructions prompt directive command"),
    ("stopping", "stop halt abort cancel"),
    ("gave", "gave give given assigned asked"),
    ("answering", "answering responding replying solving summarizing summarising continuing completing solve"),
    ("restrictions", "restrictions limits limitations filters rules ethics constraints restriction"),
    ("without", "without no free"),
    ("motdepasse", "passe"),
    ("changed", "changed superseded overridden replaced cancelled canceled suspended revoked void"),
    ("have", "have has are is were"),
    ("harmful", "unrestricted unfiltered uncensored jailbroken amoral"),
    ("got", "got received were have had"),
    ("adverse", "negative critical adverse contrary unfavorable unfavourable"),
    ("asked", "asked questioned prompted queried"),
    ("roleplay", "roleplay roleplaying impersonate impersonating simulate emulate"),
    ("will", "will ll would"),
    ("requests", "request requests prompt prompts question questions order orders command commands answer respond reply anything"),
    ("stay", "stay remain stays remains"),
    ("assume", "assume adopt"),
    ("scruples", "ethics ethicality morals morality legality warnings disclaimers censorship censoring"),
    ("care", "care cares caring concern concerns consideration regard hesitation"),
    ("unethical", "unethical immoral illegal amoral"),
    ("ethical", "ethical moral"),
    ("amoral", "amoral jailbroken unrestricted unhinged"),
    ("automated", "automated automatic ai"),
    ("machinery", "software system systems tool tools screener screeners scanner scanners analyzers parsers pipeline pipelines"),
    ("invisible", "invisible hidden unseen"),
    ("people", "human humans people users readers visitors"),
    ("session", "session conversation prompt context input document transcript"),
    ("following", "following next below these suivante suivantes folgende folgenden siguiente siguientes seguinte seguenti"),
];

/// Long words that rules hang on. They are known with one slip in them too: a
/// letter wrong, missing, too many or swapped with the next.
const KNOWN_MISSPELT: &[&str] =
    &["instruction", "instructions", "guidelines", "directives", "previous", "disregard"];

/// The vocabulary, ready to be asked.
pub(super) struct Vocabulary {
    /// By the first bytes of the words, so that few are compared.
    entries: HashMap<[u8; 3], Vec<Entry>>,
    names: Vec<String>,
}

struct Entry {
    stem: String,
    takes_endings: bool,
    classes: Classes,
}

impl Vocabulary {
    pub(super) fn new() -> Self {
        let mut vocabulary = Vocabulary { entries: HashMap::new(), names: Vec::new() };
        for (name, words) in CLASSES {
            let class = vocabulary.name(name);
            for word in words.split_whitespace() {
                vocabulary.add(word, class);
            }
        }
        vocabulary
    }

    /// The class of this name; a name that isn't one, or has `=` before it, is a
    /// word that is a class of its own.
    pub(super) fn class(&mut self, name: &str) -> Classes {
        if let Some(at) = self.names.iter().position(|known| known == name) {
            return Classes::only(at);
        }
        let class = self.name(name);
        self.add(name.trim_start_matches('='), class);
        class
    }

    /// The classes a word is in.
    pub(super) fn classes(&self, word: &str) -> Classes {
        let found = self.classes_as_spelled(word);
        if found != Classes::default() {
            return found;
        }
        let meant = KNOWN_MISSPELT.iter().find(|known| is_one_slip_from(word, known));
        meant.map_or(found, |meant| self.classes_as_spelled(meant))
    }

    fn classes_as_spelled(&self, word: &str) -> Classes {
        let Some(entries) = self.entries.get(&beginning(word)) else {
            return Classes::default();
        };
        let fits = |entry: &&Entry| {
            if entry.takes_endings { word.starts_with(&entry.stem) } else { word == entry.stem }
        };
        let found = entries.iter().filter(fits);
        found.fold(Classes::default(), |classes, entry| classes.or(entry.classes))
    }

    fn name(&mut self, name: &str) -> Classes {
        self.names.push(name.to_owned());
        Classes::only(self.names.len() - 1)
    }

    fn add(&mut self, word: &str, class: Classes) {
        let (stem, takes_endings) = match word.strip_suffix('*') {
            Some(stem) => (stem, true),
            None => (word, false),
        };
        let entries = self.entries.entry(beginning(stem)).or_default();
        let same = |entry: &&mut Entry| entry.stem == stem && entry.takes_endings == takes_endings;
        match entries.iter_mut().find(same) {
            Some(entry) => entry.classes = entry.classes.or(class),
            None => {
                entries.push(Entry { stem: stem.to_owned(), takes_endings, classes: class });
            }
        }
    }
}

/// Whether one slip of a finger makes the one word of the other.
fn is_one_slip_from(word: &str, known: &str) -> bool {
    let (word, known) = (word.as_bytes(), known.as_bytes());
    if word.len().abs_diff(known.len()) > 1 {
        return false;
    }
    let same = word.iter().zip(known).take_while(|(one, other)| one == other).count();
    let (word, known) = (&word[same..], &known[same..]);
    match (word, known) {
        ([], _) | (_, []) => true,
        ([_, word_rest @ ..], [_, known_rest @ ..]) => {
            let is_swapped = matches!((word, known), ([a, b, ..], [c, d, ..])
                if a == d && b == c && word[2..] == known[2..]);
            is_swapped || word_rest == known_rest || word_rest == known || word == known_rest
        }
    }
}

fn beginning(word: &str) -> [u8; 3] {
    let mut first = [0; 3];
    for (to, from) in first.iter_mut().zip(word.bytes()) {
        *to = from;
    }
    first
}

#[cfg(test)]
mod tests {
    use super::super::words::LONGEST_WORD;
    use super::*;

    #[test]
    fn a_word_is_in_all_its_classes_and_an_unknown_one_in_none() {
        let mut vocabulary = Vocabulary::new();
        let (above, prior) = (vocabulary.class("above"), vocabulary.class("prior"));
        assert!(vocabulary.classes("above").meets(above));
        assert!(vocabulary.classes("above").meets(prior));
        assert!(vocabulary.classes("vorherigen").meets(prior));
        assert_eq!(vocabulary.classes("teapot"), Classes::default());
        let word = vocabulary.class("teapot");
        assert_eq!(vocabulary.classes("teapot"), word);
    }

    #[test]
    fn long_words_are_known_with_one_slip_in_them_and_no_more() {
        let mut vocabulary = Vocabulary::new();
        let instructions = vocabulary.class("instructions");
        for word in ["instructions", "iinstructions", "instuctions", "instrucitons", "instruct1ons"]
        {
            assert!(vocabulary.classes(word).meets(instructions), "{word}");
        }
        for word in ["constructions", "instructors", "nstuctions", "destruction", "intuitions"] {
            assert!(!vocabulary.classes(word).meets(instructions), "{word}");
        }
    }

    #[test]
    fn every_word_is_written_as_it_is_heard() {
        for (name, words) in CLASSES {
            for word in words.split_whitespace() {
                let stem = word.trim_end_matches('*');
                let is_plain = stem.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
                assert!(is_plain && stem.len() < LONGEST_WORD, "{name}: {word}");
                assert!(stem.len() == word.len() || stem.len() >= 3, "{name}: {word}");
            }
        }
    }
}
