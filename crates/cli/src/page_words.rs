//! A page's words for a person at a terminal: no fence, which is for models,
//! but a rule that says whose words they are; lines wrapped, refs in colour.
//! What isn't a terminal gets what a model gets.

use std::io::IsTerminal as _;

/// Narrower than this nothing can be laid out.
const NARROWEST: usize = 40;
const WIDEST: usize = 120;

/// How a terminal is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Terminal {
    width: usize,
    has_colour: bool,
}

impl Terminal {
    /// The one at standard output, if that is one.
    pub(crate) fn here() -> Option<Self> {
        let out = std::io::stdout();
        if !out.is_terminal() {
            return None;
        }
        let size = rustix::termios::tcgetwinsize(&out).ok().map(|size| usize::from(size.ws_col));
        let width = size.filter(|width| *width > 0).unwrap_or(80).clamp(NARROWEST, WIDEST);
        Some(Terminal { width, has_colour: std::env::var_os("NO_COLOR").is_none() })
    }

    /// How many letters fit on a line.
    pub(crate) fn width(self) -> usize {
        self.width
    }

    /// A reply as a person reads it.
    pub(crate) fn lay_out(self, text: &str) -> String {
        let mut out = Vec::new();
        for line in text.lines() {
            if let Some(rest) = line.strip_prefix("<untrusted-page-content ") {
                let domain = rest.split("domain=\"").nth(1).and_then(|rest| rest.split('"').next());
                out.push(self.rule(domain.unwrap_or_default()));
            } else if line.starts_with("</untrusted-page-content ") {
                out.push(self.rule(""));
            } else {
                let plain: String = line.chars().filter(|c| !c.is_control()).collect();
                out.extend(self.wrapped(&plain));
            }
        }
        out.join("\n")
    }

    fn rule(self, title: &str) -> String {
        let title = if title.is_empty() { String::new() } else { format!(" {title} ") };
        let dashes = "─".repeat(self.width.saturating_sub(title.chars().count() + 2));
        self.coloured("2", &format!("──{title}{dashes}"))
    }

    /// Wrapped between words; what follows is indented like the first line.
    fn wrapped(self, line: &str) -> Vec<String> {
        let indent = line.chars().take_while(|c| matches!(c, ' ' | '-' | '#')).count().min(20);
        let mut lines = Vec::new();
        let mut current = String::new();
        let mut length = 0;
        for word in line.split_inclusive(' ') {
            let letters = word.trim_end().chars().count();
            if length > indent && length + letters > self.width {
                lines.push(std::mem::take(&mut current));
                current.push_str(&" ".repeat(indent));
                length = indent;
            }
            current.push_str(word);
            length += word.chars().count();
        }
        lines.push(current);
        let is_heading = line.contains("# ") && line.trim_start().starts_with('#');
        let paint = |line: String| {
            if is_heading { self.coloured("1", &line) } else { self.with_refs(&line) }
        };
        lines.into_iter().map(|line| paint(line.trim_end().to_owned())).collect()
    }

    /// Refs and section handles stand out, since they are what one types next.
    fn with_refs(self, line: &str) -> String {
        if !self.has_colour {
            return line.to_owned();
        }
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(at) = rest.find(['(', ' ']) {
            let (before, after) = rest.split_at(at + 1);
            out.push_str(before);
            let end = after.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(after.len());
            let (word, next) = after.split_at(end);
            let is_ref = word.len() > 1
                && word.starts_with(['e', 's'])
                && word[1..].bytes().all(|b| b.is_ascii_digit());
            out.push_str(&if is_ref { self.coloured("36", word) } else { word.to_owned() });
            rest = next;
        }
        out.push_str(rest);
        out
    }

    fn coloured(self, code: &str, text: &str) -> String {
        if self.has_colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_lines_that_fit_and_no_fence() {
        let terminal = Terminal { width: 40, has_colour: false };
        let reply = "Clicked e1.\n<untrusted-page-content id=7 domain=\"shop.test\" captured=\"x\">\n\
                     # Tea\n- [A very long name of a link that goes on](e12) and more\n\x1b[2J\n\
                     </untrusted-page-content id=7>";
        let laid_out = terminal.lay_out(reply);
        assert!(laid_out.starts_with("Clicked e1.\n── shop.test ──"), "{laid_out}");
        assert!(!laid_out.contains("untrusted") && !laid_out.contains('\x1b'), "{laid_out}");
        assert!(laid_out.lines().all(|line| line.chars().count() <= 40), "{laid_out}");
        assert!(laid_out.contains("\n  on](e12) and more"), "{laid_out}");
    }

    #[test]
    fn refs_stand_out() {
        let terminal = Terminal { width: 80, has_colour: true };
        let laid_out = terminal.lay_out("<button e8 \"Go e1x\"> [x](e12)");
        assert_eq!(laid_out, "<button \x1b[36me8\x1b[0m \"Go e1x\"> [x](\x1b[36me12\x1b[0m)");
    }
}
