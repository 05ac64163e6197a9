//! The graph of a personality: named parameters, modulators, and the branches that are summed.

use super::arguments::Arguments;
use super::document::{MAX_BYTES, PersonalityError, Place};
use super::expression::{Expression, FUNCTIONS, MAX_MODULATORS, Name, POSITION_NAMES};
use super::json::Json;

/// What a branch measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::engines::legible) enum Block {
    Material,
    LoosePieces,
    KingExposure,
    Mobility,
    PawnStructure,
}

/// All blocks in the order in which they are shown, by the names they have in documents.
pub(in crate::engines::legible) const BLOCKS: [(Block, &str); 5] = [
    (Block::Material, "material"),
    (Block::LoosePieces, "loose_pieces"),
    (Block::KingExposure, "king_exposure"),
    (Block::Mobility, "mobility"),
    (Block::PawnStructure, "pawn_structure"),
];

/// An evaluation graph, read from JSON. docs/legible.md has the schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Personality {
    pub(in crate::engines::legible) name: String,
    pub(in crate::engines::legible) parameters: Vec<Parameter>,
    pub(in crate::engines::legible) modulators: Vec<Modulator>,
    pub(in crate::engines::legible) branches: Vec<Branch>,
    pub(in crate::engines::legible) arguments: Arguments,
}

/// A number that an option of the engine sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engines::legible) struct Parameter {
    /// Its name, in expressions and as an option.
    pub(in crate::engines::legible) name: String,
    /// In hundredths.
    pub(in crate::engines::legible) default_percent: i64,
    /// In hundredths.
    pub(in crate::engines::legible) min_percent: i64,
    /// In hundredths.
    pub(in crate::engines::legible) max_percent: i64,
}

/// Dice: a number from -1 to 0.999 for each position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engines::legible) struct Modulator {
    /// Its name in expressions; the option that sets its seed has `_seed` after it.
    pub(in crate::engines::legible) name: String,
    /// From 0 to 4294967295.
    pub(in crate::engines::legible) seed: i64,
}

/// A block and what its score is multiplied with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engines::legible) struct Branch {
    pub(in crate::engines::legible) block: Block,
    pub(in crate::engines::legible) gain: Expression,
}

/// The personalities that are part of the program, the default first.
const BUILT_IN: [(&str, &str); 2] = [
    ("clean", include_str!("../../../../personalities/clean.json")),
    ("careless", include_str!("../../../../personalities/careless.json")),
];
const MAX_PARAMETERS: usize = 16;
const MAX_NAME: usize = 24;
const MOST_PERCENT: i64 = 1000;
pub(in crate::engines::legible) const MAX_SEED: i64 = u32::MAX as i64;
/// Names of options that the engine has anyway, or that are set unasked where an engine has them.
const TAKEN: [&str; 6] = ["voice", "ponder", "uci_chess960", "hash", "threads", "multipv"];

impl Personality {
    /// The default one.
    #[must_use]
    pub fn clean() -> Self {
        // A test reads every personality that is part of the program.
        Self::built_in("clean").and_then(Result::ok).unwrap_or_else(|| Self {
            name: "clean".to_owned(),
            parameters: Vec::new(),
            modulators: Vec::new(),
            branches: Vec::new(),
            arguments: Arguments::default(),
        })
    }

    /// The names of those that are part of the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// One that is part of the program, by its name; `None` when there is none of this name.
    #[must_use]
    pub fn built_in(name: &str) -> Option<Result<Self, PersonalityError>> {
        let (name, text) = BUILT_IN.iter().find(|(other, _)| *other == name)?;
        Some(Self::parse(text, name))
    }

    /// What it is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads a document; `file` names it in errors.
    ///
    /// # Errors
    /// [`PersonalityError`] names the place in the document, what was found and what was expected.
    pub fn parse(text: &str, file: &str) -> Result<Self, PersonalityError> {
        let at_whole = |message: String, hint: &str| PersonalityError {
            file: file.to_owned(),
            path: String::new(),
            message,
            hint: hint.to_owned(),
        };
        if text.len() > MAX_BYTES {
            let message = format!("found {} bytes, expected at most {MAX_BYTES}", text.len());
            return Err(at_whole(message, "a personality is a short document: see personalities/clean.json"));
        }
        let json: Json = serde_json::from_str(text).map_err(|error| {
            at_whole(format!("not JSON: {error}"), "personalities/clean.json is an example")
        })?;
        let whole = Place::whole(file, &json);
        let ([version, name, graph], [_, parameters, modulators]) =
            whole.fields(["format_version", "name", "graph"], ["description", "parameters", "modulators"])?;
        version.whole_number(1, 1)?;
        let parameters = parameters.map_or(Ok(Vec::new()), |place| read_parameters(&place))?;
        let modulators = modulators.map_or(Ok(Vec::new()), |place| read_modulators(&place, &parameters))?;
        let mut this = Self {
            name: read_name(&name, name.text()?)?,
            parameters,
            modulators,
            branches: Vec::new(),
            arguments: Arguments::default(),
        };
        this.read_graph(&graph)?;
        Ok(this)
    }

    fn read_graph(&mut self, place: &Place<'_>) -> Result<(), PersonalityError> {
        let ([sum], []) = place.fields(["sum"], [])?;
        for branch in sum.list()? {
            let ([block, gain, arguments], []) = branch.fields(["block", "gain", "arguments"], [])?;
            let text = block.text()?;
            let Some((kind, _)) = BLOCKS.iter().find(|(_, name)| *name == text) else {
                let names = BLOCKS.map(|(_, name)| name).join(", ");
                return Err(block.error(format!("no block is named `{text}`"), format!("there is {names}")));
            };
            if self.branches.iter().any(|other| other.block == *kind) {
                return Err(block.error("this block is there already", "leave one of them out"));
            }
            let gain = self.read_gain(&gain)?;
            self.arguments.read(*kind, &arguments)?;
            self.branches.push(Branch { block: *kind, gain });
        }
        if self.branches.is_empty() {
            return Err(sum.error("found no branch, expected one or more", "name at least one block"));
        }
        Ok(())
    }

    fn read_gain(&self, place: &Place<'_>) -> Result<Expression, PersonalityError> {
        let text = place.number_or_text()?;
        Expression::compile(text, &|name| self.meaning(name)).map_err(|error| {
            let parameters = self.parameters.iter().map(|parameter| parameter.name.as_str());
            let modulators = self.modulators.iter().map(|modulator| modulator.name.as_str());
            let names: Vec<_> =
                parameters.chain(modulators).chain(POSITION_NAMES.map(|(name, _)| name)).collect();
            place.error(
                format!("column {}: {}", error.column, error.message),
                format!(
                    "names here are {}; operators are + - * < <= > >=, min(a, b), max(a, b)",
                    names.join(", ")
                ),
            )
        })
    }

    fn meaning(&self, name: &str) -> Option<Name> {
        let parameter = self.parameters.iter().position(|parameter| parameter.name == name);
        let modulator = self.modulators.iter().position(|modulator| modulator.name == name);
        let position = POSITION_NAMES.iter().find(|(other, _)| *other == name);
        parameter
            .map(Name::Parameter)
            .or(modulator.map(Name::Modulator))
            .or(position.map(|(_, meaning)| *meaning))
    }
}

fn read_parameters(place: &Place<'_>) -> Result<Vec<Parameter>, PersonalityError> {
    let mut found: Vec<Parameter> = Vec::new();
    for (name, place) in place.members()? {
        if found.len() == MAX_PARAMETERS {
            return Err(place.error("one parameter too many", format!("{MAX_PARAMETERS} are the most")));
        }
        let name = read_new_name(&place, name, &[])?;
        let ([default, min, max], [_]) =
            place.fields(["default_percent", "min_percent", "max_percent"], ["meaning"])?;
        let min_percent = min.whole_number(-MOST_PERCENT, MOST_PERCENT)?;
        let max_percent = max.whole_number(min_percent, MOST_PERCENT)?;
        let default_percent = default.whole_number(min_percent, max_percent)?;
        found.push(Parameter { name, default_percent, min_percent, max_percent });
    }
    Ok(found)
}

fn read_modulators(place: &Place<'_>, parameters: &[Parameter]) -> Result<Vec<Modulator>, PersonalityError> {
    let mut found = Vec::new();
    for (name, place) in place.members()? {
        if found.len() == MAX_MODULATORS {
            return Err(place.error("one modulator too many", format!("{MAX_MODULATORS} are the most")));
        }
        let name = read_new_name(&place, name, parameters)?;
        let ([kind, seed], []) = place.fields(["kind", "seed"], [])?;
        if kind.text()? != "dice" {
            return Err(kind.error(format!("no modulator is of kind `{}`", kind.text()?), "there is dice"));
        }
        found.push(Modulator { name, seed: seed.whole_number(0, MAX_SEED)? });
    }
    Ok(found)
}

/// A name that means nothing yet, neither in expressions nor as an option.
fn read_new_name(
    place: &Place<'_>,
    name: &str,
    parameters: &[Parameter],
) -> Result<String, PersonalityError> {
    let name = read_name(place, name)?;
    let seed = format!("{name}_seed");
    let taken = FUNCTIONS.contains(&name.as_str())
        || TAKEN.contains(&name.as_str())
        || name.ends_with("_seed")
        || POSITION_NAMES.iter().any(|(other, _)| *other == name)
        || parameters.iter().any(|parameter| parameter.name == name || parameter.name == seed);
    if taken {
        return Err(place.error(format!("`{name}` is taken"), "choose another name"));
    }
    Ok(name)
}

fn read_name(place: &Place<'_>, name: &str) -> Result<String, PersonalityError> {
    let sound = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= MAX_NAME
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if !sound {
        let hint = format!("lower-case letters, digits and _, a letter first, at most {MAX_NAME}");
        return Err(place.error(format!("found the name {name:?}"), hint));
    }
    Ok(name.to_owned())
}
