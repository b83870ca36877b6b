//! Whoever writes hints may mean harm, and so may the page that the context is of: on the
//! worst of both that we found, a view ends soon, with a result or with an error.

use std::time::Duration;

use outrigger_records::view::{Limits, view};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Map, Value, json};

/// What this thread may work on one view, in a build for tests. Worked, not waited: a busy
/// machine doesn't count.
const AT_MOST: Duration = Duration::from_secs(4);

fn worked() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// A large page: a million bytes in a long text, long lists, large objects and deep ones.
fn large() -> Value {
    let list: Vec<_> =
        (0..8_000).map(|number| json!({"n": number, "text": "some words"})).collect();
    let map: Map<String, Value> =
        (0..4_000).map(|number| (number.to_string(), json!({"tagName": "div"}))).collect();
    let deep = (0..90).fold(json!(1), |inner, _| json!([inner]));
    let same = vec!["x".repeat(200); 500];
    let some: Vec<_> = list[..1_500].to_vec();
    json!({"some": some, "text": "ab ".repeat(120_000), "list": list, "map": map, "deep": deep, "same": same})
}

fn deep() -> Value {
    let nested = |depth| (0..depth).fold(json!(1), |inner, _| json!({"a": inner, "b": [1]}));
    json!({"deep": nested(45), "other": nested(40)})
}

fn assert_ends_soon(context: &Value, transforms: &[(&str, Value)]) {
    for (name, transform) in transforms {
        let mut context = context.clone();
        context["llm_hints"] = json!({"mode": "replace", "transform": {"key": transform}});
        let before = worked();
        let outcome = view(&Map::new(), &context, &Limits::default());
        let taken = worked() - before;
        let outcome = outcome.map_or_else(|error| error.code(), |_| "ok");
        assert!(taken < AT_MOST, "{name} took {taken:?}: {outcome}");
    }
}

#[test]
fn many_entries_that_are_fine_alone_end_soon_together() {
    let steps = "{% for a in context.some %}{% if a.n > 1 and a.n > 2 and a.n > 3 and a.n > 4 %}\
                 {% endif %}{% endfor %}";
    for (name, one) in [
        ("templates", template(steps)),
        ("literals", json!({"type": "literal", "literal": vec![steps; 64]})),
        ("paths", path("$.some[?search(@.text, 'words')].n")),
        ("long paths", path("$..*.n")),
    ] {
        let entries: Map<String, Value> =
            (0..64).map(|index| (index.to_string(), one.clone())).collect();
        let mut context = large();
        context["llm_hints"] = json!({"mode": "replace", "transform": entries});
        let before = worked();
        let outcome = view(&Map::new(), &context, &Limits::default());
        let taken = worked() - before;
        let outcome = outcome.map_or_else(|error| error.code(), |_| "ok");
        println!("64 {name}: {taken:?}, {outcome}");
        assert!(taken < AT_MOST, "64 {name} took {taken:?}: {outcome}");
    }
}

fn template(text: &str) -> Value {
    json!({"type": "template", "template": text})
}

fn path(text: &str) -> Value {
    json!({"type": "extract", "value": text})
}

#[test]
fn templates_end_soon() {
    let thrice = |inside: &str| {
        format!(
            "{{% for a in context.list %}}{{% for b in context.list %}}{{% for c in context.list %}}\
             {inside}{{% endfor %}}{{% endfor %}}{{% endfor %}}"
        )
    };
    let copies = vec!["c"; 90].join(",");
    let lists = format!(
        "{{% for c in [[{copies}]] %}}{{% for c in [[{copies}]] %}}{{% for c in [[{copies}]] %}}\
         {{{{ c|join('') }}}}{{% endfor %}}{{% endfor %}}{{% endfor %}}"
    );
    let parentheses = format!("{{{{ {}1{} }}}}", "(".repeat(1_500), ")".repeat(1_500));
    assert_ends_soon(
        &large(),
        &[
            ("three loops", template(&thrice(""))),
            ("length of a long text, often", template(&thrice("{{context.text.length}}"))),
            (
                "a long text in capitals, often",
                template(&thrice("{% if context.text|upper %}{% endif %}")),
            ),
            (
                "a long text compared",
                template(&thrice("{% if context.text == 'ab ab' %}{% endif %}")),
            ),
            (
                "loops over nothing",
                template(
                    "{% for a in context.list %}{% for k in context.map if false %}{% endfor %}{% endfor %}",
                ),
            ),
            ("lists of lists of lists", template(&lists)),
            ("joining all", template("{{ context.list|join(context.text) }}")),
            ("all of it as text", template("{{ context }}")),
            ("parentheses", template(&parentheses)),
            ("many dots", template(&format!("{{{{ a{} }}}}", ".a".repeat(99)))),
            ("many filters", template(&format!("{{{{ a{} }}}}", "|default(a)".repeat(39)))),
            (
                "many branches",
                template(&format!("{{% if a %}}{}{{% endif %}}", "{% elif a %}".repeat(97))),
            ),
            (
                "ifs within ifs",
                template(&format!("{}{}", "{% if 1 %}".repeat(49), "{% endif %}".repeat(49))),
            ),
            ("brackets", template(&format!("{{{{ {}1{} }}}}", "[".repeat(99), "]".repeat(99)))),
            ("minuses", template(&format!("{{{{ {} 1 }}}}", "- ".repeat(190)))),
            ("choices", template(&format!("{{{{ 1{} }}}}", " if a else 1".repeat(45)))),
            ("dots", template(&format!("{{{{ a{} }}}}", ".a".repeat(1_900)))),
            ("nots", template(&format!("{{{{ {} a }}}}", "not ".repeat(900)))),
            ("conditions", template(&"{% if a %}".repeat(390))),
            (
                "all of it as a value",
                json!({"type": "literal", "literal": vec!["{{context}}"; 64]}),
            ),
            ("many loops", json!({"type": "literal", "literal": vec![thrice(""); 64]})),
        ],
    );
}

#[test]
fn paths_end_soon() {
    let paths = [
        "$..*",
        "$..*..*",
        "$..*..*..*",
        "$..[*,*]..[*,*]",
        "$[?@..*]",
        "$..[?@..*]",
        "$..[?@..[?@..*]]",
        "$[?$..*]",
        "$.list[?$.list]",
        "$.list[?@.n == $.list[7999].n]",
        "$.list[?count($..*) > 1]",
        "$.same[?@ == $.same[0]]",
        "$.list[?search(@.text, 'words')]",
        "$.some[?search(@.text, 'words')]",
        "$.list[?search(@.text, '\\\\w')]",
        "$.list[?search(@.text, '(a|b|c|some)*words')]",
        "$..[?match(@.text, '[a-z ]*')]",
        "$[?match(@, '(a*)*b')]",
        "$.list[*,*,*,*,*,*,*,*,*,*].n",
        "$..[0,0,0,0,0,0,0,0,0,0,0,0]",
        "$.text",
        "$.list[::1]",
        "$.list[?length(@.text) > 3]",
        "$[?(((((@.a)))))]",
        "$[?!(!(!(!(@.a))))]",
        "$[?@[?@[?@[?@.a]]]]",
    ];
    let all = |paths: &[&'static str]| -> Vec<_> {
        paths.iter().map(|text| (*text, path(text))).collect()
    };
    let long = format!("$[?{}@.a]", "@.a && ".repeat(560));
    let groups = format!("$[?{}]", vec!["((((@.a))))"; 200].join("||"));
    let names = format!("$[{}]", vec!["'text'"; 560].join(","));
    let mut transforms = all(&paths);
    transforms.push(("a long condition", path(&long)));
    transforms.push(("many groups", path(&groups)));
    transforms.push(("many names", path(&names)));
    assert_ends_soon(&large(), &transforms);
    assert_ends_soon(&deep(), &transforms);
}
