//! The same paragraphs as LaTeX sets them.

use crate::report::latex::latex;

/// Digits of a SHA-256 in hex, and how many of them a line of a paper has room for.
const HASH: usize = 64;
const SHOWN: usize = 12;

/// methods.tex: the paragraphs of every run under its name. `%` and the like are escaped, a number stays
/// with its per cent sign, and hashes are cut to twelve digits, since a line cannot break inside one.
///
/// ```
/// use elometer::report::methods_latex;
/// let text = methods_latex(&[("my_run", &["a 95 % interval".to_owned()])]);
/// assert!(text.contains("\\subsection*{my\\_run}\n\na 95~\\% interval\n"));
/// ```
#[must_use]
pub fn methods_latex(runs: &[(&str, &[String])]) -> String {
    let mut text = String::from(
        "% \\input this in the body; needs \\usepackage[T1]{fontenc}. SHA-256 are cut to 12 digits:\n\
         % methods.md has them whole.\n\\begingroup\\setlength{\\emergencystretch}{3em}\n",
    );
    for (name, paragraphs) in runs {
        text.push_str(&format!("\n\\subsection*{{{}}}\n", latex(name)));
        for paragraph in *paragraphs {
            text.push_str(&format!("\n{}\n", with_short_hashes(paragraph).replace(" \\%", "~\\%")));
        }
    }
    text + "\\par\\endgroup\n"
}

/// Escapes, and cuts every word of 64 hexadecimal digits.
fn with_short_hashes(text: &str) -> String {
    let mut short = String::with_capacity(text.len());
    let (mut plain, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(|c: char| c.is_ascii_alphanumeric()) {
        let (before, word) = rest.split_at(start);
        let end = word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        plain.push_str(before);
        match word.get(..SHOWN).filter(|_| word.len() == HASH && word.bytes().all(|b| b.is_ascii_hexdigit()))
        {
            Some(beginning) => {
                short.push_str(&latex(&std::mem::take(&mut plain)));
                short.push_str(&format!("\\texttt{{{beginning}}}"));
            }
            None => plain.push_str(word),
        }
        rest = after;
    }
    plain.push_str(rest);
    short + &latex(&plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_cut_and_nothing_begins_a_comment() {
        let hash = "0123456789abcdef".repeat(4);
        let paragraph = format!("SHA-256 {hash}; of a_b.nnue: {hash}x 50 %, 5% & #1");
        let text = methods_latex(&[("a", &[paragraph])]);
        let body = text.rsplit("\n\n").next().unwrap().trim_end_matches("\\par\\endgroup\n");
        assert_eq!(
            body,
            format!(
                "SHA-256 \\texttt{{0123456789ab}}; of a\\_b.nnue: {}x 50~\\%, 5\\% \\& \\#1\n",
                latex(&hash)
            )
        );
    }
}
