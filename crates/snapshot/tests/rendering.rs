//! How facts become lines.
#![allow(clippy::unwrap_used)]

use outrigger_protocol::facts::{Element, Node, PageFacts, flags};
use outrigger_snapshot::budget::From;
use outrigger_snapshot::{
    Detail, Frame, RefTable, SectionTable, Written, diff, find, fit, open, render,
};

fn page(nodes: &str) -> Frame {
    let nodes = serde_json::from_str(nodes).unwrap();
    Frame { document: "d".into(), facts: PageFacts { nodes, ..PageFacts::default() } }
}

fn written(frames: &[Frame]) -> Written {
    render(frames, &mut RefTable::above(0), Detail::default())
}

fn texts(written: &Written) -> Vec<&str> {
    written.lines.iter().map(|line| line.text.as_str()).collect()
}

fn text(nodes: &str) -> String {
    texts(&written(&[page(nodes)])).join("\n")
}

#[test]
fn a_sentence_keeps_its_links_inline() {
    let nodes = r#"[[-1,"h1","heading","",2,0,[0,0,0,0],{"level":1}],[0,"Mozilla"],
        [-1,"p","paragraph","",2],[2,"From "],[2,"a","link","Wikipedia",5,3],[2,", the free"]]"#;
    assert_eq!(text(nodes), "# Mozilla\nFrom [Wikipedia](e1), the free");
}

#[test]
fn a_field_shows_value_and_states_and_a_secret_shows_neither() {
    let nodes = r#"[[-1,"input","textbox","Search",1,1,[0,0,0,0],{"value":"fi\"re","focused":true}],
        [-1,"input","textbox","Password",17,2,[0,0,0,0],{"required":true}],
        [-1,"button","button","Pay",33,3,[0,0,0,0],{"busy":true,"current":"step"}]]"#;
    assert_eq!(
        text(nodes),
        "<textbox e1 \"Search\" value=\"fi\\\"re\" focused>\n<textbox e2 \"Password\" secret required> \
         <button e3 \"Pay\" busy current covered>"
    );
}

#[test]
fn tables_are_tables_and_lists_are_lists() {
    let nodes = r#"[[-1,"table","table"],[0,"tr","row"],[1,"td","cell"],[2,"Founded"],[1,"td","cell"],[4,"1998"],
        [-1,"ul","list"],[6,"li","listitem"],[7,"a","link","One",1,1],[7,"ul","list"],[9,"li","listitem"],[10,"Two"]]"#;
    assert_eq!(text(nodes), "| Founded | 1998 |\n- [One](e1)\n  - Two");
}

#[test]
fn cells_stand_under_their_headers_where_others_span_columns_and_rows() {
    let nodes = r#"[[-1,"table","table"],[0,"tr","row"],[1,"th","columnheader","",0,0,[0,0,0,0],{"rowspan":2}],[2,"Region"],
        [1,"th","columnheader","",0,0,[0,0,0,0],{"colspan":2}],[4,"2023"],[1,"th","columnheader","",0,0,[0,0,0,0],{"colspan":2}],[6,"2024"],
        [0,"tr","row"],[8,"th","columnheader"],[9,"H1"],[8,"th","columnheader"],[11,"H2"],[8,"th","columnheader"],[13,"H1"],
        [0,"tr","row"],[15,"td","cell"],[16,"North"],[15,"td","cell","",0,0,[0,0,0,0],{"rowspan":2}],[18,"1"],[15,"td","cell"],[20,"2"],
        [0,"tr","row"],[22,"td","cell"],[23,"South"],[22,"td","cell"],[25,"3"],
        [0,"tr","row"],[27,"td","cell"],[28,"West"],[27,"td","cell"],[30,"4"]]"#;
    assert_eq!(
        text(nodes),
        "| Region | 2023 | | 2024 |\n| | H1 | H2 | H1 |\n| North | 1 | 2 |\n| South | | 3 |\n| West | 4 |"
    );
}

#[test]
fn a_bar_in_a_cell_is_no_border() {
    let nodes = r#"[[-1,"table","table"],[0,"tr","row"],[1,"td","cell"],[2,"A | B"],[1,"td","cell"],[4,"a","link","C|D",1,1],
        [-1,"p","paragraph","",2],[6,"E | F"]]"#;
    assert_eq!(text(nodes), "| A \\| B | [C\\|D](e1) |\nE | F");
}

#[test]
fn a_list_in_a_table_cell_stays_in_its_row() {
    let nodes = r#"[[-1,"table","table"],[0,"tr","row"],[1,"td","cell"],[2,"ul","list"],[3,"li","listitem"],[4,"One"],
        [3,"li","listitem"],[6," Two"],[-1,"p","paragraph","",2],[8,"After"]]"#;
    assert_eq!(text(nodes), "| One Two |\nAfter");
}

#[test]
fn numbered_items_have_their_numbers() {
    let nodes = r#"[[-1,"ol","list","",0,0,[0,0,0,0],{"start":3}],[0,"li","listitem"],[1,"Boil"],
        [0,"li","listitem"],[3,"Pour"],[3,"ol","list","",0,0,[0,0,0,0],{"start":1}],[5,"li","listitem"],[6,"Slowly"],
        [0,"li","listitem","",0,0,[0,0,0,0],{"start":9}],[8,"Drink"],[-1,"ol","list"],[10,"li","listitem"],[11,"Home"]]"#;
    assert_eq!(text(nodes), "3. Boil\n4. Pour\n  1. Slowly\n9. Drink\n- Home");
    let countdown = r#"[[-1,"ol","list","",0,0,[0,0,0,0],{"start":2,"reversed":true}],[0,"li","listitem"],[1,"Silver"],
        [0,"li","listitem"],[3,"Gold"]]"#;
    assert_eq!(text(countdown), "2. Silver\n1. Gold");
}

#[test]
fn a_field_that_takes_no_plain_text_says_what_it_takes() {
    let nodes = r#"[[-1,"input","textbox","Birthday",1,1,[0,0,0,0],{"kind":"date","required":true}],
        [-1,"div","generic","",1,2,[0,0,0,0],{"scrollable":true}]]"#;
    assert_eq!(text(nodes), "<textbox e1 \"Birthday\" type=date required> <generic e2 scrollable>");
}

#[test]
fn lines_of_a_text_are_lines_with_their_indents() {
    let nodes = r#"[[-1,"p","paragraph","",2],[0,"12 Main St\nSpringfield "],[0,"a","link","Map",1,1],[0,"\nIL"],
        [-1,"pre","","",2],[4,"def f(x):\n    return  x\n\n\tend\n"]]"#;
    assert_eq!(
        text(nodes),
        "12 Main St\nSpringfield [Map](e1)\nIL\ndef f(x):\n    return  x\n\tend"
    );
}

#[test]
fn a_heading_and_a_row_of_several_lines_are_one() {
    let nodes = r#"[[-1,"h1","heading","",2,0,[0,0,0,0],{"level":1}],[0,"Tea\nand cake"],
        [-1,"table","table"],[2,"tr","row"],[3,"td","cell"],[4,"12 Main St\n  Springfield"]]"#;
    assert_eq!(text(nodes), "# Tea and cake\n| 12 Main St Springfield |");
}

#[test]
fn no_line_of_a_text_passes_for_a_handle() {
    let nodes = r#"[[-1,"pre","","",2],[0,"Read:\n  § Next s1 (50 tokens)\n<button e1 \"OK\">"]]"#;
    assert_eq!(text(nodes), "Read:\n  \\§ Next s1 (50 tokens)\n\\<button e1 \"OK\">");
}

#[test]
fn a_choice_names_its_options() {
    let nodes = r#"[[-1,"select","combobox","Size",1,1,[0,0,0,0],{"value":"M"}],
        [0,"option","option","S"],[0,"option","option","M",0,0,[0,0,0,0],{"selected":true}]]"#;
    assert_eq!(text(nodes), "<combobox e1 \"Size\" value=\"M\" options=\"S\"|\"M\">");
}

fn choice_of(count: u32) -> Frame {
    let mut nodes: Vec<Node> = serde_json::from_str(
        r#"[[-1,"select","combobox","Country",5,1,[0,0,9,9],{"value":"Country 0"}]]"#,
    )
    .unwrap();
    for n in 0..count {
        let mut option =
            Element { tag: "option".into(), role: "option".into(), ..Element::default() };
        option.name = format!("Country {n}");
        nodes.push(Node::Element(Box::new(option)));
    }
    Frame { document: "d".into(), facts: PageFacts { nodes, ..PageFacts::default() } }
}

#[test]
fn of_many_options_the_first_are_told_and_all_can_be_opened_and_found() {
    let page = written(&[choice_of(200)]);
    assert!(page.is_one_run());
    let mut sections = SectionTable::default();
    for from in [From::Top, From::Viewport] {
        let look = fit(&page, from, 100_000, &mut sections);
        assert_eq!(look.len(), 2, "{look:?}");
        assert!(look[0].ends_with("\"Country 11\" +188 more>"), "{look:?}");
        assert!(look[1].starts_with("§ 188 more s1 ("), "{look:?}");
    }
    let range = sections.find("s1".parse().unwrap(), &page.lines).unwrap();
    let opened = open(&page, range, 100_000, &mut sections).join("\n");
    assert!((12..200).all(|n| opened.contains(&format!("\"Country {n}\""))), "{opened}");
    let found = find(&page.lines, "Country 150", None, 10).lines;
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("options of e1: \"Country 132\"|"), "{found:?}");
}

#[test]
fn a_list_without_end_says_how_many_options_are_not_told() {
    let mut frame = choice_of(20);
    if let Node::Element(list) = &mut frame.facts.nodes[0] {
        list.state.options = Some(5_000);
    }
    let page = written(&[frame]);
    assert!(page.lines[0].text.ends_with(" +4988 more>"), "{page:?}");
    assert_eq!(page.folds[0].items, 4_988);
    assert_eq!(page.lines[2].text, "4980 more options of e1 are not told");
}

#[test]
fn options_that_change_are_told_by_the_control_alone() {
    let (old, new) = (written(&[choice_of(100)]), written(&[choice_of(200)]));
    let told = diff(&old.lines, &new.lines).lines();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].text.starts_with("~ <combobox e1"), "{told:?}");
}

#[test]
fn landmarks_and_groups_are_short_words_before_their_first_line() {
    let nodes = r#"[[-1,"nav","navigation","Main",2],[0,"ul","list"],[1,"li","listitem"],[2,"a","link","Home",1,1],
        [-1,"nav","navigation","",2],[-1,"main","main","",2],[5,"h1","heading","",2],[6,"Tea"],
        [5,"fieldset","group","Size",2],[8,"input","radio","S",1,2],[8,"input","radio","M",1,3],
        [-1,"p","paragraph","",2],[11,"After"]]"#;
    assert_eq!(
        text(nodes),
        "nav \"Main\": - [Home](e1)\nmain: ## Tea\ngroup \"Size\": <radio e2 \"S\"> <radio e3 \"M\">\nAfter"
    );
}

#[test]
fn short_items_of_one_control_share_a_line() {
    let nodes = r#"[[-1,"ul","list"],[0,"li","listitem"],[1,"a","link","US",1,1],[0,"li","listitem"],[3,"a","link","World",1,2],
        [0,"li","listitem"],[5,"a","link","Tech",1,3],[5,"ul","list"],[7,"li","listitem"],[8,"a","link","Phones",1,4],
        [0,"li","listitem"],[10,"Words"]]"#;
    assert_eq!(text(nodes), "- [US](e1) [World](e2)\n- [Tech](e3)\n  - [Phones](e4)\n- Words");
}

#[test]
fn what_can_be_seen_but_not_used_has_no_ref() {
    let nodes = r#"[[-1,"progress","progressbar","Upload",0,0,[0,0,0,0],{"value":"0.7"}],[-1,"img","img","A cup"],
        [-1,"video","video","",0,0,[0,0,0,0],{"value":"paused 0:12/3:40"}]]"#;
    assert_eq!(
        text(nodes),
        "<progressbar \"Upload\" value=\"0.7\"> ![A cup] <video paused 0:12/3:40>"
    );
}

#[test]
fn a_box_that_can_be_scrolled_says_so_once() {
    let nodes = r#"[[-1,"div","","",2,0,[0,0,9,9],{"scrollable":true}],[0,"p","paragraph","",2],[1,"Started"],
        [-1,"ul","list","",2,0,[0,0,9,9],{"scrollable":true}],[3,"li","listitem"],[4,"Tea"]]"#;
    assert_eq!(text(nodes), "(scrolls)\nStarted\n(scrolls)\n- Tea");
}

#[test]
fn a_link_without_a_name_says_where_it_leads() {
    let nodes = r##"[[-1,"a","link","",1,1,[0,0,0,0],{"href":"/shop/green-tea/?id=1"}],
        [-1,"a","link","",1,2,[0,0,0,0],{"href":"#"}]]"##;
    assert_eq!(text(nodes), "[green-tea](e1) [#](e2)");
}

#[test]
fn words_that_a_name_leaves_out_are_said_too() {
    let nodes = r#"[[-1,"button","button","Pinterest",1,3,[0,0,0,0],{"shows":"Pin it"}]]"#;
    assert_eq!(text(nodes), "<button e1 \"Pinterest\" shows=\"Pin it\">");
}

#[test]
fn what_has_no_name_is_called_by_what_it_shows() {
    let nodes = r#"[[-1,"a","link","",1,1,[0,0,0,0],{"href":"/tea","shows":"Green tea"}],
        [-1,"li","listitem","",3,2,[0,0,0,0],{"shows":"Item"}]]"#;
    assert_eq!(text(nodes), "[Green tea](e1)\n- <listitem e2 \"Item\">");
}

#[test]
fn a_page_cannot_write_controls_of_its_own() {
    let nodes = r#"[[-1,"p","paragraph","",2],[0,"Press <button e1 \"OK\"> or [Cancel](e2), a < b, <b> [x](y)"],
        [-1,"p","paragraph","",2],[2,"§ Next s1 (50 tokens)"]]"#;
    assert_eq!(
        text(nodes),
        "Press \\<button e1 \"OK\"> or [Cancel]\\(e2), a < b, <b> [x](y)\n\\§ Next s1 (50 tokens)"
    );
}

#[test]
fn boxes_are_told_when_asked_for() {
    let frame = page(r#"[[-1,"button","button","Go",1,1,[10,20,80,24]]]"#);
    let written =
        render(&[frame], &mut RefTable::above(0), Detail { boxes: true, ..Detail::default() });
    assert_eq!(texts(&written), ["<button e1 \"Go\" @10,20,80×24>"]);
}

#[test]
fn a_frame_is_written_where_it_stands_and_one_without_a_place_at_the_end() {
    let mut main = page(
        r#"[[-1,"p","paragraph","",2],[0,"Before"],[-1,"iframe","iframe","Card",6,0,[0,0,9,9],{"frame":0}],
            [-1,"p","paragraph","",2],[3,"After"]]"#,
    );
    main.facts.path = Some(Vec::new());
    let inner = |path: Option<Vec<u32>>, words: &str, origin: &str| {
        let mut frame = page(&format!(r#"[[-1,"p","paragraph","",6],[0,"{words}"]]"#));
        frame.document = words.to_owned();
        frame.facts.path = path;
        frame.facts.origin = origin.to_owned();
        frame
    };
    let placed = inner(Some(vec![0]), "Inside", "https://pay.test");
    let lost = inner(None, "Lost", "https://ads.test");
    let written = written(&[main, lost, placed]);
    assert_eq!(
        texts(&written),
        [
            "Before",
            "frame \"Card\" https://pay.test:",
            "Inside",
            "(end of frame)",
            "After",
            "frame https://ads.test:",
            "Lost",
            "(end of frame)"
        ]
    );
    let in_view: Vec<bool> = written.lines.iter().map(|line| line.is_in_view).collect();
    assert_eq!(in_view[..4], [false, true, true, true]);
}

#[test]
fn a_frame_that_nobody_can_see_is_left_out_or_called_hidden() {
    let frame = |path: &[u32], nodes: &str| {
        let mut frame = page(nodes);
        frame.document = format!("{path:?}");
        frame.facts.path = Some(path.to_vec());
        frame
    };
    let holder = |flags: u32, at: u32| {
        format!(r#"[-1,"iframe","iframe","",{flags},0,[0,0,9,9],{{"frame":{at}}}]"#)
    };
    let frames = |main: &str| {
        vec![
            frame(&[], main),
            frame(&[0], &format!(r#"[[-1,"Seen"],{}]"#, holder(0, 1))),
            frame(&[1], &format!(r#"[[-1,"Parked"],{}]"#, holder(0, 0))),
            frame(&[1, 0], r#"[[-1,"In the parked one"]]"#),
            frame(&[2, 0], r#"[[-1,"In one that told nothing"]]"#),
        ]
    };
    let seen = holder(0, 0);
    let told = texts(&written(&frames(&format!("[{seen},{}]", holder(0, 2))))).join("\n");
    assert_eq!(
        told,
        "frame :\nSeen\n(end of frame)\nframe :\nIn one that told nothing\n(end of frame)"
    );

    let hidden = Detail { hidden: true, ..Detail::default() };
    let parked =
        "(hidden) frame :\nParked\nframe :\nIn the parked one\n(end of frame)\n(end of frame)";
    for main in [format!("[{}]", holder(8, 1)), "[]".to_owned()] {
        let written = render(&frames(&main)[..], &mut RefTable::above(0), hidden);
        assert!(texts(&written).join("\n").contains(parked), "{main}: {:?}", texts(&written));
        assert!(written.lines.iter().all(|line| !line.is_in_view || line.text.contains("told")));
    }
}

#[test]
fn of_many_alike_items_the_first_ones_stand_for_all() {
    let mut nodes = vec![element(-1, "list", 0)];
    for n in 0..30 {
        nodes.push(element(0, "listitem", 0));
        let parent = i32::try_from(nodes.len()).unwrap() - 1;
        nodes.push(element(parent, "link", n + 1));
        nodes.push(Node::Text { parent, text: format!(" costs {n} coins and comes by post") });
    }
    let frame = Frame { document: "d".into(), facts: PageFacts { nodes, ..PageFacts::default() } };
    let written = written(&[frame]);
    let whole = fit(&written, From::Top, 1_000_000, &mut SectionTable::default());
    assert_eq!(whole.len(), 5, "{whole:?}");
    assert!(whole[4].starts_with("§ 26 more s1 ("), "{whole:?}");
}

#[test]
fn items_of_several_lines_are_alike_too() {
    let mut nodes = Vec::new();
    for n in 0..20 {
        nodes.push(element(-1, "heading", 0));
        let parent = i32::try_from(nodes.len()).unwrap() - 1;
        nodes.push(element(parent, "link", n + 1));
        nodes.push(element(-1, "paragraph", 0));
        nodes.push(Node::Text { parent: parent + 2, text: format!("By author {n}") });
    }
    let frame = Frame { document: "d".into(), facts: PageFacts { nodes, ..PageFacts::default() } };
    let written = written(&[frame]);
    assert_eq!(written.folds.len(), 1, "{written:?}");
    assert_eq!((written.folds[0].lines.clone(), written.folds[0].items), (8..40, 16));
}

#[test]
fn a_page_nested_a_hundred_thousand_deep_is_written_all_the_same() {
    let mut nodes: Vec<Node> = (0..100_000).map(|i| element(i - 1, "", 0)).collect();
    nodes.push(Node::Text { parent: 99_999, text: "deep".into() });
    let frame = Frame { document: "d".into(), facts: PageFacts { nodes, ..PageFacts::default() } };
    assert_eq!(texts(&written(&[frame])), ["deep"]);
}

fn element(parent: i32, role: &str, id: u32) -> Node {
    let flags = if id == 0 { flags::BLOCK } else { flags::CONTROL };
    let name = if id == 0 { String::new() } else { format!("Item {id}") };
    Node::Element(Box::new(Element {
        parent,
        tag: "x".into(),
        role: role.into(),
        name,
        flags,
        id,
        ..Element::default()
    }))
}
