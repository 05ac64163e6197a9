//! Tables and texts as LaTeX sets them on a portrait page: the article class on A4, one column.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::table::{Align, Table};
use super::text::shown;

/// The width of a page's text in points: the article class at 10 points on A4.
const PAGE_WIDTH: f64 = 345.0;
/// A table that is taller stands in pages, not in a float; points.
const MOST_HEIGHT: f64 = 450.0;
/// Between two columns of LaTeX's own, points.
const GAP: f64 = 12.0;
/// Between two columns of a wide table, as a share of the line.
const NARROW_GAP: f64 = 0.014;
/// Between two columns of LaTeX's own in a table of smaller letters, points: half of it on each side.
const SMALL_GAP: f64 = 6.0;
/// Sizes of letters for wide tables: LaTeX's name, points that a letter of 10 is wide (small letters of
/// Computer Modern are wider for their height), points from line to line.
const SIZES: [(&str, f64, f64); 3] =
    [("\\small", 9.25, 11.0), ("\\footnotesize", 8.5, 9.5), ("\\scriptsize", 8.0, 8.0)];
/// Letters after which a word may be broken.
const LONGEST_WORD: usize = 20;
/// Characters that the comment at the head of a file names.
const NAMED: usize = 8;

/// How a table is set.
struct Layout {
    /// LaTeX's commands for the size of letters and gaps.
    size: String,
    /// The share of the line of each column; none where columns are as wide as they need be.
    shares: Vec<f64>,
    /// In points.
    height: f64,
}

/// Writes a table: as a float, or over pages where it is long. Columns of positions (FEN) are left
/// out, since no page is wide enough for them.
pub(super) fn write_table(table: &Table, output: &mut impl Write) -> io::Result<()> {
    let shown: Vec<usize> = (0..table.columns.len()).filter(|index| !table.holds_positions(*index)).collect();
    let pick = |row: &[String]| -> Vec<String> {
        shown.iter().filter_map(|index| row.get(*index).cloned()).collect()
    };
    let headings: Vec<String> = shown
        .iter()
        .filter_map(|index| table.columns.get(*index).map(|column| column.heading.clone()))
        .collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(|row| pick(row)).collect();
    let aligns: Vec<Align> =
        shown.iter().filter_map(|index| table.columns.get(*index).map(|column| column.align)).collect();
    let layout = lay_out(&headings, &rows, &table.caption);
    let is_long = layout.height > MOST_HEIGHT;

    let columns = column_words(&aligns, &layout.shares);
    let caption = latex(&table.caption);
    let head = format!("\\toprule\n{}\n\\midrule\n", row_words(&headings));
    let body: String = rows.iter().map(|row| row_words(row) + "\n").collect();
    let setting = layout.size;
    let mut packages = vec!["booktabs"];
    if !layout.shares.is_empty() {
        packages.push("array");
    }
    let text = if is_long {
        packages.push("longtable");
        let caption = if caption.is_empty() { caption } else { format!("\\caption{{{caption}}} \\\\\n") };
        format!(
            "\\begingroup{setting}\\setlength{{\\LTcapwidth}}{{\\linewidth}}\\setlength{{\\emergencystretch}}{{3em}}\n\
             \\begin{{longtable}}{{{columns}}}\n{caption}{head}\\endfirsthead\n{head}\\endhead\n\\bottomrule\n\\endfoot\n\
             {body}\\end{{longtable}}\n\\endgroup\n"
        )
    } else {
        let caption = if caption.is_empty() { caption } else { format!("\\caption{{{caption}}}\n") };
        let setting = if setting.is_empty() { setting } else { format!("{setting}\n") };
        format!(
            "\\begin{{table}}\n\\centering\\setlength{{\\emergencystretch}}{{3em}}\n{caption}{setting}\
             \\begin{{tabular}}{{{columns}}}\n{head}{body}\\bottomrule\n\\end{{tabular}}\n\\end{{table}}\n"
        )
    };
    output.write_all(latex_head(&packages.join(","), &text).as_bytes())?;
    if is_long {
        writeln!(output, "% longtable is for one column: \\onecolumn before it where the paper has two")?;
    }
    for column in (0..table.columns.len()).filter(|index| !shown.contains(index)) {
        let heading = table.columns.get(column).map_or("", |column| column.heading.as_str());
        writeln!(output, "% left out, since it is too wide for a page: {}", latex(heading))?;
    }
    output.write_all(text.as_bytes())
}

fn lay_out(headings: &[String], rows: &[Vec<String>], caption: &str) -> Layout {
    #[expect(clippy::cast_precision_loss, reason = "columns and rows of a table")]
    let number = |count: usize| count as f64;
    let count = headings.len();
    let widths = |width: fn(&str) -> f64, with_headings: bool| -> Vec<f64> {
        let column = |index: usize| {
            let heading = headings.get(index).filter(|_| with_headings);
            rows.iter().filter_map(move |row| row.get(index)).chain(heading).map(|cell| width(cell))
        };
        (0..count).map(|index| column(index).fold(0.0, f64::max)).collect()
    };
    let sum = |widths: &[f64]| widths.iter().sum::<f64>();
    let caption_height = 12.0 * (em(caption) * 10.0 / PAGE_WIDTH).ceil();
    let plain = |size, line: f64| Layout {
        size,
        shares: Vec::new(),
        height: line * (number(rows.len()) + 2.0) + caption_height,
    };
    let natural = sum(&widths(em, true));
    if natural * 10.0 + GAP * number(count) <= PAGE_WIDTH {
        return plain(String::new(), 12.0);
    }
    let small = |points: f64| natural * points + SMALL_GAP * number(count) <= PAGE_WIDTH;
    if let Some((size, _, line)) = SIZES.into_iter().take(2).find(|(_, points, _)| small(*points)) {
        return plain(format!("{size}\\setlength{{\\tabcolsep}}{{{}pt}}", SMALL_GAP / 2.0), line);
    }
    // Headings may be broken at blanks, and cells too where there is no other way.
    let words = widths(longest_word, true);
    let wanted: Vec<f64> = widths(em, false).iter().zip(&words).map(|(cell, word)| cell.max(*word)).collect();
    let room = 1.0 - NARROW_GAP * number(count.saturating_sub(1));
    let [_, footnote, script] = SIZES;
    let fits = |points: f64| sum(&wanted) * points <= room * PAGE_WIDTH;
    let (size, points, line) = if fits(footnote.1) { footnote } else { script };
    let all = room * PAGE_WIDTH / points;
    let shares: Vec<f64> = if fits(points) || sum(&words) >= all {
        let least = if fits(points) { &wanted } else { &words };
        least.iter().map(|width| width / sum(least) * room).collect()
    } else {
        // Each has room for its longest word; the rest goes where more is wanted.
        let more = (all - sum(&words)) / (sum(&wanted) - sum(&words));
        let width = |(wanted, word): (&f64, &f64)| word + (wanted - word) * more;
        wanted.iter().zip(&words).map(|pair| width(pair) * points / PAGE_WIDTH).collect()
    };
    let lines = |row: &[String]| {
        let cells = row.iter().zip(&shares).map(|(cell, share)| em(cell) * points / (share * PAGE_WIDTH));
        cells.fold(1.0, f64::max).ceil()
    };
    let size = format!("{size}\\setlength{{\\tabcolsep}}{{{:.4}\\linewidth}}", NARROW_GAP / 2.0);
    let height = line * (rows.iter().map(|row| lines(row)).sum::<f64>() + lines(headings)) + caption_height;
    Layout { size, shares, height }
}

fn column_words(aligns: &[Align], shares: &[f64]) -> String {
    if shares.is_empty() {
        return aligns.iter().map(|align| if *align == Align::Left { 'l' } else { 'r' }).collect();
    }
    let column = |(align, share): (&Align, &f64)| {
        let ragged = if *align == Align::Left { "\\raggedright" } else { "\\raggedleft" };
        // Rounded down: the sum is no wider than the line.
        format!(">{{{ragged}\\arraybackslash}}p{{{:.4}\\linewidth}}", (share * 10_000.0).floor() / 10_000.0)
    };
    let columns: Vec<String> = aligns.iter().zip(shares).map(column).collect();
    format!("@{{}}{}@{{}}", columns.join("\n"))
}

fn row_words(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| latex(cell)).collect();
    // After the end of a row LaTeX would take a bracket or a star as part of it.
    let guard = if cells.first().is_some_and(|cell| cell.starts_with(['[', '*'])) { "{}" } else { "" };
    format!("{guard}{} \\\\", cells.join(" & "))
}

/// The width of a text in its height, about, and rather too wide: Computer Modern.
fn em(text: &str) -> f64 {
    let thousandths = |c: char| match c {
        ' ' | 'f' | 'r' | 's' | 't' | '(' | ')' | '/' => 400,
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '!' | '|' | '[' | ']' | '-' => 300,
        'm' | 'w' | 'M' | 'W' | '%' | '+' | '=' | '<' | '>' | '@' | '&' | '#' | '~' | '^' => 850,
        c if c.is_ascii_uppercase() => 730,
        c if c.is_ascii() => 540,
        _ => 1000,
    };
    f64::from(text.chars().map(thousandths).fold(0_u32, u32::saturating_add)) / 1000.0
}

fn longest_word(text: &str) -> f64 {
    let part = |word: &str| em(&word.chars().take(LONGEST_WORD).collect::<String>());
    // A minus is wider than the hyphen it is written as.
    let minus = if text.contains('-') { 0.48 } else { 0.0 };
    text.split(' ').map(part).fold(0.0, f64::max) + minus
}

/// Text that LaTeX sets as it stands; words of any length can be broken.
#[must_use]
pub fn latex(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    let mut word = 0;
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let c = shown(c);
        word = if c == ' ' { 0 } else { word + 1 };
        if word > LONGEST_WORD {
            escaped.push_str("\\hspace{0pt}");
            word = 1;
        }
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                escaped.push('\\');
                escaped.push(c);
            }
            // A minus, not a hyphen, before a number.
            '-' if after.starts_with(|c: char| c.is_ascii_digit()) && at_start(&escaped) => {
                escaped.push_str("$-$");
            }
            c => match command(c) {
                Some(command) => escaped.push_str(command),
                None => escaped.push(c),
            },
        }
        rest = after;
    }
    escaped
}

/// Whether a number may begin here.
fn at_start(before: &str) -> bool {
    before.is_empty() || before.ends_with([' ', '[', '('])
}

/// What LaTeX calls a character; nothing for those without width.
fn command(c: char) -> Option<&'static str> {
    Some(match c {
        '\\' => "\\textbackslash{}",
        '~' => "\\textasciitilde{}",
        '^' => "\\textasciicircum{}",
        '<' => "\\textless{}",
        '>' => "\\textgreater{}",
        '|' => "\\textbar{}",
        '\u{a0}' => "~",
        '\u{2009}' | '\u{202f}' => "\\,",
        '−' => "$-$",
        '±' => "$\\pm$",
        '×' => "$\\times$",
        '≤' => "$\\leq$",
        '≥' => "$\\geq$",
        '≠' => "$\\neq$",
        '≈' => "$\\approx$",
        '∞' => "$\\infty$",
        '←' => "$\\leftarrow$",
        '→' => "$\\rightarrow$",
        '↔' => "$\\leftrightarrow$",
        '↑' => "$\\uparrow$",
        '↓' => "$\\downarrow$",
        '′' => "$'$",
        '“' => "``",
        '”' => "''",
        '‘' => "`",
        '’' => "'",
        '–' => "--",
        '—' => "---",
        '…' => "\\dots{}",
        '•' => "\\textbullet{}",
        '€' => "\\texteuro{}",
        '™' => "\\texttrademark{}",
        '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{fe0e}' | '\u{fe0f}' => "",
        _ => return None,
    })
}

/// The characters of a LaTeX text that pdfLaTeX has no letters for, each once: it sets Latin letters
/// with the marks of European languages, and their quotes.
#[must_use]
pub fn beyond_pdflatex(text: &str) -> BTreeSet<char> {
    let sets = |c: char| match c {
        'Ħ' | 'ħ' | 'ĸ' | 'Ŀ' | 'ŀ' | 'ŉ' | 'Ŧ' | 'ŧ' | 'ſ' => false,
        '\u{a1}'..='\u{17f}' | 'Ș'..='ț' | '„' => true,
        c => c.is_ascii(),
    };
    text.chars().filter(|c| !sets(*c)).collect()
}

/// The comment at the head of a LaTeX file that holds `text`.
#[must_use]
pub fn latex_head(packages: &str, text: &str) -> String {
    let mut head = format!("% needs \\usepackage{{{packages}}}\n");
    let beyond = beyond_pdflatex(text);
    if !beyond.is_empty() {
        let named: Vec<String> = beyond.iter().take(NAMED).map(char::to_string).collect();
        let more = if beyond.len() > NAMED { " and more" } else { "" };
        head.push_str(&format!(
            "% pdfLaTeX has no letters for {}{more}: use LuaLaTeX or XeLaTeX, with \\usepackage{{fontspec}} and a\n\
             % \\setmainfont that has them\n",
            named.join(" ")
        ));
    } else if !text.is_ascii() {
        head.push_str("% and \\usepackage[T1]{fontenc}\n");
    }
    head
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Column, TableFormat};

    fn written(table: &Table) -> String {
        let mut bytes = Vec::new();
        table.write(&mut bytes, TableFormat::Latex).unwrap();
        String::from_utf8(bytes).unwrap()
    }

    /// The shares of the line that columns and gaps take.
    fn line_share(latex: &str) -> f64 {
        let shares: Vec<f64> = latex
            .split("}p{")
            .skip(1)
            .map(|rest| rest.split("\\linewidth").next().unwrap().parse().unwrap())
            .collect();
        shares.iter().sum::<f64>() + NARROW_GAP * (shares.len() - 1) as f64
    }

    #[test]
    fn a_wide_table_is_as_wide_as_the_line_and_no_wider() {
        let mut table =
            Table::new((0..9).map(|index| Column::numbers(format!("centipawn loss {index}"))).collect());
        table.rows.push(vec!["33.3 [31.4, 35.2]".to_owned(); 9]);
        let wide = written(&table);
        assert!(wide.starts_with("% needs \\usepackage{booktabs,array}\n"), "{wide}");
        let share = line_share(&wide);
        assert!((0.99..=1.0).contains(&share), "{share}: {wide}");
        table.columns.truncate(3);
        table.rows[0].truncate(3);
        assert!(written(&table).contains("\\begin{tabular}{rrr}\n"), "{}", written(&table));
    }

    #[test]
    fn a_long_table_goes_over_pages_and_leaves_positions_out() {
        let mut table = Table::new(["clause", "move", "position"].map(Column::words).to_vec());
        let row = [
            "loses more than 300",
            "8. Bxc7",
            "rn1q1rk1/pppbbppp/4pn2/8/2QP1B2/2N2N2/PP2PPPP/R3KB1R w KQ - 1 8",
        ];
        table.rows = vec![row.map(str::to_owned).to_vec(); 310];
        let long = written(&table);
        assert!(long.contains("\\begin{longtable}{ll}\n") && !long.contains("\\begin{table}"), "{long}");
        assert!(
            long.contains("% left out, since it is too wide for a page: position\n")
                && !long.contains("rn1q1rk1")
        );
        assert_eq!(long.matches("clause & move \\\\").count(), 2, "on the first page and on the others");
        table.rows.truncate(20);
        assert!(written(&table).contains("\\begin{table}"));
    }

    #[test]
    fn symbols_are_commands_and_other_letters_are_named_at_the_head() {
        assert_eq!(
            latex("a→b ≥ −1 ± 2… “x”\u{200b}|\u{ffff}é"),
            "a$\\rightarrow$b $\\geq$ $-$1 $\\pm$ 2\\dots{} ``x''\\textbar{} é"
        );
        assert_eq!(latex(&"x".repeat(41)).matches("\\hspace{0pt}").count(), 2);
        let mut table = Table::new(vec![Column::words("player")]);
        table.rows = vec![vec!["[bot] é".to_owned()]];
        let plain = written(&table);
        assert!(
            plain.contains("% and \\usepackage[T1]{fontenc}\n") && plain.contains("\n{}[bot] é \\\\"),
            "{plain}"
        );
        table.rows.push(vec!["Жук 王".to_owned()]);
        let other = written(&table);
        assert!(other.contains("% pdfLaTeX has no letters for Ж к у 王: use LuaLaTeX or XeLaTeX"), "{other}");
    }
}
