//! What reads like instructions to a model, as rules over classes of words.
//! How a rule is found in a text is not told here.
//!
//! Tuned for few false alarms. Pages speak of instructions, passwords and
//! assistants all day; a rule needs several such words in the right order.

/// What a text would have its reader do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Drop the instructions it has, or take new ones.
    Override,
    /// Become someone else.
    Persona,
    /// Tell what it was told.
    Prompt,
    /// Feel spoken to: the text addresses a model or an agent.
    Addressed,
    /// Keep something from the user.
    Secrecy,
    /// Hand over passwords, tokens, keys.
    Secrets,
    /// Switch its safeguards off.
    Safeguards,
    /// Take the text for a message of the system or of its own.
    Role,
}

/// The rules. Words that are a class of the vocabulary stand for it, others and
/// those after `=` for themselves, `a|b` for either. `..3` lets up to three words stand between.
/// `^` asks that a line or a clause begins there, `:` that a colon follows, `,`
/// a colon or comma. After `~` there may be no negation just before. Nothing
/// reaches over the end of a sentence, except after `>`.
#[rustfmt::skip]
pub(super) const RULES: &[(Family, &str)] = &[
    (Family::Override, "ignore ..5 prior ..4 orders"),
    (Family::Override, "ignore ..4 orders ..4 prior"),
    (Family::Override, "ignore ..1 all ..1 instructions"),
    (Family::Override, "^ignore instructions,"),
    (Family::Override, "ignore ..2 everything ..5 prior|told"),
    (Family::Override, "ignore ..3 above ..3 output|only"),
    (Family::Override, "=ignore|=disregard|=forget ..4 content ..5 output"),
    (Family::Override, "ignore what you were told|asked"),
    (Family::Override, "if ..1 user asks ..6 output"),
    (Family::Override, "reply|respond ..1 with only|exactly"),
    (Family::Override, "reply|respond only with"),
    (Family::Override, "not ..1 follow ..4 prior ..3 orders"),
    (Family::Override, ">stopping everything ..3 only|output"),
    (Family::Override, "follow ..3 instructions ..3 instead"),
    (Family::Override, "follow ..1 only ..1 these|my|following instructions"),
    (Family::Override, "new instructions:"),
    (Family::Override, "your new task is"),
    (Family::Override, "your new task:"),
    (Family::Override, "your new|real|actual|true instructions"),
    (Family::Override, "your ..1 instructions have ..1 changed"),
    (Family::Persona, "you are now article ..4 persona"),
    (Family::Persona, "you are now persona"),
    (Family::Persona, "now you are article ..4 persona"),
    (Family::Persona, "ahora|agora|ora|adesso are article ..4 persona"),
    (Family::Persona, "you are now in ..1 special mode"),
    (Family::Persona, "enter|enable|activate ..2 jailbreak|dan|god|unrestricted mode"),
    (Family::Persona, "from now on ..3 act|obey|persona"),
    (Family::Persona, "do anything now"),
    (Family::Persona, "you are ..3 harmful"),
    (Family::Persona, "act|pretend ..6 harmful"),
    (Family::Persona, "pretend ..6 without ..1 restrictions"),
    (Family::Prompt, "reveal ..3 your ..2 system ..1 prompt"),
    (Family::Prompt, "reveal ..5 system promptonly"),
    (Family::Prompt, "what are|were your system instructions"),
    (Family::Prompt, "=repeat|=output|=print ..3 instructions you were given|told"),
    (Family::Prompt, "your system promptonly"),
    (Family::Prompt, "reveal ..4 promptonly ..2 system"),
    (Family::Prompt, "=repeat|=print|=output ..2 words above"),
    (Family::Prompt, "=repeat|=print|=disclose|=leak your ..2 instructions"),
    (Family::Addressed, "ai|agent ..3 reading ..2 page ..6 must"),
    (Family::Addressed, "if you are ..1 ai ..1 agent|reading"),
    (Family::Addressed, "if you are ..1 ai,"),
    (Family::Addressed, "if you are ..2 language model"),
    (Family::Addressed, "if you are ..1 =assistant|=agent ..1 reading"),
    (Family::Addressed, "as ..1 ai ..3 you must"),
    (Family::Addressed, "as ..2 language model ..2 you must"),
    (Family::Addressed, "^greeting ai agent"),
    (Family::Addressed, "^greeting ai,"),
    (Family::Addressed, "^greeting to|for|all|any ..1 ai agent|reading"),
    (Family::Addressed, "^greeting to|for|all|any ..1 ai,"),
    (Family::Addressed, "^greeting to|for ..2 language models|model"),
    (Family::Addressed, "^attention|dear|hey =assistant|=agent,"),
    (Family::Addressed, "^ai|=assistant|=agent|=agents, ..1 must|you ..4 action"),
    (Family::Addressed, "ai agent ..1 must ..3 action ..8 http|https"),
    (Family::Addressed, ">message ..6 to you ..1 ai"),
    (Family::Addressed, "task ..2 i gave you"),
    (Family::Addressed, "before ..2 answering ..3 user|task"),
    (Family::Addressed, "do the following first"),
    (Family::Addressed, "important message from me"),
    (Family::Secrecy, "not ..1 tell ..3 user"),
    (Family::Secrecy, "tell ..1 user nichts|nicht"),
    (Family::Secrecy, "hide ..4 from ..1 user"),
    (Family::Secrets, "~send ..3 whose ..2 secret ..4 where|to"),
    (Family::Secrets, "~send ..3 whose ..3 api key ..4 where|to"),
    (Family::Secrets, "~send me ..3 secret"),
    (Family::Secrets, "~send me ..3 api key"),
    (Family::Secrets, "~strongsend ..4 secret ..4 where|to"),
    (Family::Secrets, "~send ..3 secret ..4 utente"),
    (Family::Secrets, "~send ..4 motdepasse ..4 utente"),
    (Family::Safeguards, "~disable ..1 all|any ..2 safety ..1 limits"),
    (Family::Safeguards, "~ignore|bypass|disable ..1 all|your ..2 restrictions|guardrails|guidelines|safeguards"),
    (Family::Role, "^=system: ..8 ignore|obey|you|must"),
    (Family::Role, "^assistant: ..4 ignore|obey"),
    (Family::Role, ">^assistant: ..25 ^user|human:"),
    (Family::Role, "^=system override:"),
    (Family::Role, "^=system message: ..8 ignore|obey|you|must|action"),
    (Family::Role, "<marker>"),
];

/// Marks by which chats tell their roles apart; no page needs them. In any case.
pub(super) const MARKERS: &[&str] = &[
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|endoftext|>",
    "<|begin_of_text|>",
    "<|start_header_id|>",
    "<|eot_id|>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<<sys>>",
    "<system>",
    "</system>",
    "<system-reminder>",
    "<function_calls>",
    "<tool_call>",
    "<information>",
    "[system]",
    "[system message]",
    "### instruction:",
    "### system",
    "###(system",
    "\"role\": \"system\"",
    "\"role\":\"system\"",
];

/// The same, where small letters would mean something else.
pub(super) const MARKERS_IN_CAPITALS: &[&str] = &["[INST]", "[/INST]"];
