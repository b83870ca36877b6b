//! Controls in six languages, labelled by hand: what can't be taken back is found,
//! and what only looks like it is left alone. The figures are printed; none is a
//! promise about pages that nobody has seen.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;

use outrigger_guard::consequence::{Control, Form, consequence};

#[derive(Default)]
struct Count {
    acts: usize,
    found: usize,
    harmless: usize,
    taken: usize,
}

fn form_called(name: &str) -> Option<Form> {
    match name {
        "" => None,
        "card" => Some(Form::Card),
        "new-password" => Some(Form::NewPassword),
        "other" => Some(Form::Other),
        other => panic!("no such form: {other}"),
    }
}

#[test]
fn controls_are_judged_as_people_labelled_them() {
    let table = include_str!("consequence/controls.tsv");
    let mut counts: BTreeMap<&str, Count> = BTreeMap::new();
    let mut wrong = Vec::new();
    for line in table.lines().skip(1) {
        let [label, language, role, name, asked, form] = line.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("six columns: {line:?}");
        };
        let judged = consequence(&Control { role, name, asked, form: form_called(form) });
        let said = judged.map_or("harmless".to_owned(), |consequence| consequence.to_string());
        let count = counts.entry(language).or_default();
        if label == "harmless" {
            count.harmless += 1;
            count.taken += usize::from(judged.is_some());
        } else {
            count.acts += 1;
            count.found += usize::from(judged.is_some());
        }
        if said != label {
            wrong.push(format!(
                "{language} {role} {name:?} ({asked} {form}): {label}, judged {said}"
            ));
        }
    }
    println!("language  acts found  harmless taken for acts");
    for (language, Count { acts, found, harmless, taken }) in &counts {
        println!("{language:8}  {found:3} of {acts:3}  {taken:3} of {harmless:3}");
    }
    println!("judged otherwise than labelled: {wrong:#?}");
    let sum = |of: fn(&Count) -> usize| counts.values().map(of).sum::<usize>();
    assert_eq!(sum(|count| count.found), sum(|count| count.acts), "{wrong:#?}");
    let (taken, harmless) = (sum(|count| count.taken), sum(|count| count.harmless));
    assert!(taken * 50 <= harmless, "{taken} of {harmless} harmless ones: {wrong:#?}");
    assert!(sum(|count| count.acts) + harmless >= 200);
}
