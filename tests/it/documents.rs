//! The documents as a book: every page in its place, links that lead somewhere, a figure that its command
//! draws.

use std::fs;
use std::path::Path;

use super::support::Lab;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The targets of the links of a Markdown text.
fn links(text: &str) -> Vec<&str> {
    let starts = text.match_indices("](").map(|(at, mark)| &text[at + mark.len()..]);
    starts.filter_map(|rest| rest.split(')').next()).collect()
}

#[test]
fn every_document_stands_in_the_book_and_knows_its_neighbours() {
    let contents = fs::read_to_string(root().join("docs/README.md")).unwrap();
    let chapters: Vec<&str> = contents
        .lines()
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()))
        .flat_map(|line| links(line).into_iter().take(1))
        .collect();
    let mut documents: Vec<String> = fs::read_dir(root().join("docs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".md") && name != "README.md")
        .collect();
    documents.sort();
    let mut listed: Vec<&str> = chapters.clone();
    listed.sort_unstable();
    assert_eq!(listed, documents);
    for (index, chapter) in chapters.iter().enumerate() {
        let text = fs::read_to_string(root().join("docs").join(chapter)).unwrap();
        let last = text.lines().last().unwrap();
        let mut expected = vec!["README.md"];
        expected.extend(index.checked_sub(1).map(|before| chapters[before]));
        expected.extend(chapters.get(index + 1));
        assert_eq!(links(last), expected, "{chapter}");
    }
}

#[test]
fn links_between_documents_lead_somewhere() {
    let mut pages = vec![root().join("README.md"), root().join("CONTRIBUTING.md")];
    pages.extend(fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    let mut seen = 0;
    for page in pages.iter().filter(|page| page.extension().is_some_and(|extension| extension == "md")) {
        let text = fs::read_to_string(page).unwrap();
        for link in links(&text).into_iter().filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let file = link.split('#').next().unwrap();
            // What looks like a link in code is none.
            if file.contains([' ', '|', '<']) {
                continue;
            }
            assert!(page.parent().unwrap().join(file).exists(), "{}: {link}", page.display());
            seen += 1;
        }
    }
    assert!(seen > 50, "{seen}");
}

#[test]
fn the_figure_of_the_front_page_is_what_its_command_draws() {
    let lab = Lab::new();
    fs::create_dir_all(lab.path("tests/data")).unwrap();
    fs::copy(root().join("tests/data/quick.csv"), lab.path("tests/data/quick.csv")).unwrap();
    lab.run_to(0, &["fit", "tests/data/quick.csv", "--figure", "ladder.svg"]);
    for file in ["ladder.svg", "ladder-data.csv"] {
        let committed = fs::read_to_string(root().join("docs").join(file)).unwrap();
        assert!(lab.read(file) == committed, "docs/{file} is another figure");
    }
}
