//! Recorded facts and what becomes of them, reviewed by eye. The pages and the
//! texts stand in `golden/`; `npm run record` in `extension/` records anew, and
//! with `OUTRIGGER_GOLDEN=write` this test writes the texts.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use outrigger_snapshot::budget::From;
use outrigger_snapshot::{Detail, Frame, RefTable, SectionTable, fit, open, plain, render};

/// Small enough that something is left out of every page.
const LOOK: usize = 220;

#[test]
fn recorded_pages_are_written_as_reviewed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    let mut seen = 0;
    for entry in fs::read_dir(&folder).unwrap().flatten() {
        let path = entry.path();
        let Some(name) =
            path.file_name().and_then(|name| name.to_str()?.strip_suffix(".facts.json"))
        else {
            continue;
        };
        let written = write(&fs::read_to_string(&path).unwrap());
        let golden = folder.join(format!("{name}.txt"));
        if std::env::var_os("OUTRIGGER_GOLDEN").is_some_and(|word| word == "write") {
            fs::write(&golden, &written).unwrap();
        }
        let reviewed = fs::read_to_string(&golden).unwrap_or_default();
        assert!(written == reviewed, "{name} is written otherwise now:\n{written}");
        seen += 1;
    }
    assert!(seen >= 3, "only {seen} recorded pages");
}

fn write(facts: &str) -> String {
    let frame = Frame { document: "d".into(), facts: serde_json::from_str(facts).unwrap() };
    let frames = [frame];
    let page = render(&frames, &mut RefTable::above(0), Detail::default());
    let mut sections = SectionTable::default();
    let whole = fit(&page, From::Top, 1_000_000, &mut sections).join("\n");
    let look = fit(&page, From::Viewport, LOOK, &mut sections).join("\n");
    let mut out = format!("== whole page\n{whole}\n\n== a look within {LOOK} tokens\n{look}\n");
    let first = sections.find("s1".parse().unwrap(), &page.lines);
    if let Some(range) = first {
        let opened = open(&page, range, 1_000_000, &mut sections).join("\n");
        out.push_str(&format!("\n== s1 opened\n{opened}\n"));
    }
    out.push_str(&format!("\n== words alone\n{}\n", plain(&frames)));
    out
}
