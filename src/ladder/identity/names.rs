//! Names that show in what players of one name differ: `Ethereal 12.00, depth 6`. This is
//! the only place for the short wording of each part.

use std::collections::{BTreeMap, BTreeSet};

use super::player::{Identity, limits_words, plain_limits};

/// Up to this many parts in which a group differs are all named; of more, as many as tell it apart.
const MOST_PARTS: usize = 3;
/// Least digits of a digest.
const LEAST_DIGITS: usize = 8;

/// What players may differ in, the most telling first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Aspect {
    Limits,
    Option(String),
    Arguments,
    File(String),
    Runtime,
    Program,
    Name,
    Directory,
    History,
}

/// An aspect of every identity of a group.
struct Column {
    aspect: Aspect,
    /// None where an identity has no such thing.
    values: Vec<Option<String>>,
}

impl Column {
    fn of(aspect: Aspect, identities: &[&Identity]) -> Self {
        let plain: BTreeSet<String> =
            identities.iter().map(|identity| format!("{:?}", plain_limits(&identity.limits))).collect();
        let shown: BTreeSet<String> = identities.iter().map(|identity| identity.limits.to_string()).collect();
        let value = |identity: &&Identity| match &aspect {
            Aspect::Limits => Some(limits_words(&identity.limits, shown.len() < plain.len())),
            Aspect::Option(name) => {
                let set = identity.options.iter().find(|(set, _)| set == name);
                set.map(|(_, value)| value.clone())
            }
            Aspect::Arguments => {
                Some(differing_arguments(identity, identities).join(" ")).filter(|text| !text.is_empty())
            }
            Aspect::File(label) => identity.program.files_sha256.get(label).cloned(),
            Aspect::Runtime => identity.program.runtime.clone(),
            Aspect::Program => Some(identity.program.program_sha256.clone()),
            Aspect::Name => identity.program.id_name.clone(),
            Aspect::Directory => Some(identity.directory.clone()).filter(|text| !text.is_empty()),
            Aspect::History => {
                Some(if identity.history.is_whole() { "game" } else { "reversible" }.to_owned())
            }
        };
        Self { values: identities.iter().map(value).collect(), aspect }
    }

    fn varies(&self) -> bool {
        self.values.windows(2).any(|two| two.first() != two.last())
    }

    /// Whether it says nothing that the other has not said in its own way.
    fn repeats(&self, other: &Self) -> bool {
        let may = match (&self.aspect, &other.aspect) {
            (Aspect::Name, Aspect::Program) => true,
            (Aspect::File(label), Aspect::Option(name)) => label.strip_prefix("option ") == Some(name),
            (Aspect::File(label), Aspect::Arguments) => label.starts_with("argument "),
            _ => false,
        };
        may && groups(&[other, self]) == groups(&[other])
    }

    /// The part in each name.
    fn labels(&self) -> Vec<String> {
        let digits = self.digits();
        let label = |value: &Option<String>| match (&self.aspect, value.as_deref()) {
            (Aspect::Limits, value) => value.unwrap_or_default().to_owned(),
            (Aspect::Option(name), Some(value)) => format!("{name}={value}"),
            (Aspect::Option(name), None) => format!("{name} not set"),
            (Aspect::Arguments, Some(text)) => text.to_owned(),
            (Aspect::Arguments, None) => "no arguments".to_owned(),
            (Aspect::File(label), value) => {
                let name = label.strip_prefix("option ").unwrap_or(label);
                match value {
                    Some(digest) => format!("{name} {}", start(digest, digits)),
                    None => format!("no file {name}"),
                }
            }
            (Aspect::Runtime, Some(version)) => version.to_owned(),
            (Aspect::Runtime, None) => "runtime not known".to_owned(),
            (Aspect::Program, value) => format!("program {}", start(value.unwrap_or_default(), digits)),
            (Aspect::Name, Some(name)) => format!("says it is {name}"),
            (Aspect::Name, None) => "gives no name".to_owned(),
            (Aspect::Directory, Some(folder)) => format!("folder {folder}"),
            (Aspect::Directory, None) => "folder not known".to_owned(),
            (Aspect::History, value) => format!("history {}", value.unwrap_or_default()),
        };
        self.values.iter().map(label).collect()
    }

    /// How many digits of digests tell them apart.
    fn digits(&self) -> usize {
        let distinct: BTreeSet<&String> = self.values.iter().flatten().collect();
        let longest = distinct.iter().map(|digest| digest.len()).max().unwrap_or_default();
        let tells = |digits: usize| {
            let starts: BTreeSet<String> = distinct.iter().map(|digest| start(digest, digits)).collect();
            starts.len() == distinct.len()
        };
        (LEAST_DIGITS..longest).find(|digits| tells(*digits)).unwrap_or(longest)
    }
}

/// The arguments between those that all have at the beginning and at the end, with the flag before them.
fn differing_arguments<'a>(identity: &'a Identity, identities: &[&Identity]) -> &'a [String] {
    let own = &identity.arguments;
    let all: Vec<&[String]> = identities.iter().map(|other| other.arguments.as_slice()).collect();
    let shortest = all.iter().map(|other| other.len()).min().unwrap_or_default().min(own.len());
    let first = (0..shortest).take_while(|at| all.iter().all(|other| other[*at] == own[*at])).count();
    let is_alike = |back: &usize| all.iter().all(|other| other[other.len() - back] == own[own.len() - back]);
    let last = (1..=shortest - first).take_while(is_alike).count();
    let is_flag = first > 0 && own[first - 1].starts_with('-');
    &own[first - usize::from(is_flag)..own.len() - last]
}

/// The first digits of a digest; a folder's without the word before it.
fn start(digest: &str, digits: usize) -> String {
    digest.strip_prefix("folder ").unwrap_or(digest).chars().take(digits).collect()
}

/// Which identities are alike in all of these: a number each.
fn groups(columns: &[&Column]) -> Vec<usize> {
    let count = columns.first().map_or(0, |column| column.values.len());
    let mut known = BTreeMap::new();
    (0..count)
        .map(|place| {
            let key: Vec<_> = columns.iter().map(|column| column.values.get(place)).collect();
            let next = known.len();
            *known.entry(key).or_insert(next)
        })
        .collect()
}

/// Names for players of one name: each with the parts in which the group differs. The order of the
/// identities does not matter to any of the names; one alone keeps its name.
#[must_use]
pub fn distinguishing_names(name: &str, identities: &[&Identity]) -> Vec<String> {
    let options = identities.iter().flat_map(|identity| &identity.options);
    let files = identities.iter().flat_map(|identity| identity.program.files_sha256.keys());
    let aspects: BTreeSet<Aspect> = options
        .map(|(name, _)| Aspect::Option(name.clone()))
        .chain(files.map(|label| Aspect::File(label.clone())))
        .chain([
            Aspect::Limits,
            Aspect::Arguments,
            Aspect::Runtime,
            Aspect::Program,
            Aspect::Name,
            Aspect::Directory,
            Aspect::History,
        ])
        .collect();
    let mut chosen: Vec<Column> = Vec::new();
    for aspect in aspects {
        let column = Column::of(aspect, identities);
        if column.varies() && !chosen.iter().any(|other| column.repeats(other)) {
            chosen.push(column);
        }
    }
    if chosen.len() > MOST_PARTS {
        let mut needed: Vec<Column> = Vec::new();
        for column in chosen {
            let before: Vec<&Column> = needed.iter().collect();
            let with: Vec<&Column> = needed.iter().chain([&column]).collect();
            let [before, with] = [before, with].map(|columns| groups(&columns).into_iter().max());
            if with > before.or(Some(0)) {
                needed.push(column);
            }
        }
        chosen = needed;
    }
    let labels: Vec<Vec<String>> = chosen.iter().map(Column::labels).collect();
    (0..identities.len())
        .map(|place| {
            let parts = labels.iter().filter_map(|labels| labels.get(place));
            parts.fold(name.to_owned(), |text, part| format!("{text}, {part}"))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::Limits;

    fn depth(depth: u32) -> Identity {
        let mut identity =
            Identity { limits: Limits { depth: Some(depth), ..Limits::default() }, ..Identity::default() };
        identity.program.program_sha256 = "1a2b3c4d".repeat(8);
        identity
    }

    fn names(identities: &[Identity]) -> Vec<String> {
        let own = |identities: &[&Identity]| distinguishing_names("X", identities);
        let forward: Vec<&Identity> = identities.iter().collect();
        let backward: Vec<&Identity> = identities.iter().rev().collect();
        let found = own(&forward);
        let mut reversed = own(&backward);
        reversed.reverse();
        assert_eq!(found, reversed, "the order of the identities shows");
        found
    }

    #[test]
    fn players_of_one_name_are_named_with_the_parts_in_which_they_differ() {
        assert_eq!(names(&[depth(6)]), ["X"]);
        assert_eq!(names(&[depth(6), depth(8)]), ["X, depth 6", "X, depth 8"]);
        let [mut small, mut large, unset] = [depth(6), depth(6), depth(6)];
        small.options.push(("Hash".to_owned(), "16".to_owned()));
        large.options.push(("Hash".to_owned(), "64".to_owned()));
        assert_eq!(names(&[small.clone(), large, unset]), ["X, Hash=16", "X, Hash=64", "X, Hash not set"]);
        let mut deep = small.clone();
        deep.limits.depth = Some(8);
        assert_eq!(
            names(&[deep, small, depth(6)]),
            ["X, depth 8, Hash=16", "X, depth 6, Hash=16", "X, depth 6, Hash not set"]
        );
        let mut solid = depth(6);
        solid.arguments = vec!["--style".to_owned(), "solid".to_owned()];
        assert_eq!(names(&[solid, depth(6)]), ["X, --style solid", "X, no arguments"]);
        let [mut wild, mut solid] = [depth(6), depth(6)];
        for (identity, style) in [(&mut wild, "wild"), (&mut solid, "solid")] {
            identity.arguments = ["-q", "--style", style, "--book", "b"].map(str::to_owned).to_vec();
        }
        assert_eq!(names(&[wild, solid]), ["X, --style wild", "X, --style solid"]);
    }

    #[test]
    fn digests_are_as_long_as_it_takes_to_tell_them_apart() {
        let [one, mut two, mut three] = [depth(6), depth(6), depth(6)];
        two.program.program_sha256 = "9f8e".repeat(16);
        assert_eq!(names(&[one.clone(), two.clone()]), ["X, program 1a2b3c4d", "X, program 9f8e9f8e"]);
        three.program.program_sha256 = format!("1a2b3c4d1a{}", "f".repeat(54));
        assert_eq!(
            names(&[one.clone(), three, two]),
            ["X, program 1a2b3c4d1a2", "X, program 1a2b3c4d1af", "X, program 9f8e9f8e9f8"]
        );
        let mut other = one.clone();
        other.program.files_sha256.insert("option EvalFile".to_owned(), "c".repeat(64));
        assert_eq!(names(&[one, other]), ["X, no file EvalFile", "X, EvalFile cccccccc"]);
    }

    #[test]
    fn a_file_is_not_named_where_its_option_says_the_same() {
        let [mut one, mut other] = [depth(6), depth(6)];
        for (identity, net) in [(&mut one, "a"), (&mut other, "b")] {
            identity.options.push(("EvalFile".to_owned(), format!("{net}.nnue")));
            identity.program.files_sha256.insert("option EvalFile".to_owned(), net.repeat(64));
        }
        assert_eq!(names(&[one.clone(), other]), ["X, EvalFile=a.nnue", "X, EvalFile=b.nnue"]);
        let mut retrained = one.clone();
        retrained.program.files_sha256.insert("option EvalFile".to_owned(), "b".repeat(64));
        assert_eq!(names(&[one, retrained]), ["X, EvalFile aaaaaaaa", "X, EvalFile bbbbbbbb"]);
    }

    #[test]
    fn of_many_parts_those_that_tell_the_group_apart_are_named() {
        let [one, mut other] = [depth(6), depth(8)];
        for option in ["A", "B", "C"] {
            other.options.push((option.to_owned(), "1".to_owned()));
        }
        assert_eq!(names(&[one, other]), ["X, depth 6", "X, depth 8"]);
    }
}
