//! The engine under examination: processes made when a check needs one, searches shared by several.

use std::rc::Rc;
use std::time::Duration;

use super::places::{self, Place};
use super::session::{Greeting, Heard, Search, Session, Trouble};
use crate::uci::process::{EngineFault, Launch};
use crate::uci::protocol::{GuiCommand, OptionDeclaration, OptionKind};

/// How long an engine is listened to before anything is said to it.
const LISTEN: Duration = Duration::from_millis(100);
/// How long after `uciok` and `bestmove` more is waited for.
pub(super) const AFTERWARDS: Duration = Duration::from_millis(40);
/// The limit of the shared searches.
const SAMPLE_GO: &str = "go depth 4";

/// A search and what was said after its answer.
#[derive(Clone, Debug)]
pub(super) struct Sampled {
    pub(super) place: Place,
    pub(super) search: Search,
    pub(super) after: Vec<Heard>,
}

/// What every check works with.
pub(super) struct Bench<'a> {
    launch: &'a Launch,
    /// Checked, in the order they are sent; all before `isready`.
    settings: String,
    pub(super) greeting: Greeting,
    /// What was said after `uciok` while nothing was asked.
    pub(super) after_greeting: Vec<Heard>,
    pub(super) declared: Vec<OptionDeclaration>,
    session: Option<Session>,
    sample: Option<Result<Rc<Vec<Sampled>>, Trouble>>,
}

impl<'a> Bench<'a> {
    /// Starts the engine for the first time.
    pub(super) fn open(launch: &'a Launch) -> Result<Self, Box<EngineFault>> {
        let (mut session, greeting) = Session::start(launch, LISTEN)?;
        // An engine that ends here shows it at its first `isready`.
        let after_greeting = session.gather(AFTERWARDS).unwrap_or_default();
        let declared = greeting.lines.iter().filter_map(|line| match &line.message {
            crate::uci::protocol::EngineMessage::Option(option) => Some(option.clone()),
            _ => None,
        });
        let declared = declared.collect();
        let settings = String::new();
        Ok(Self { launch, settings, greeting, after_greeting, declared, session: None, sample: None })
    }

    /// Gives every later process these settings.
    pub(super) fn set(&mut self, settings: &[(String, String)]) {
        for (name, value) in settings {
            let button = self.option(name).is_some_and(|option| option.kind == OptionKind::Button);
            let value = (!button).then(|| value.clone());
            self.settings.push_str(&GuiCommand::SetOption { name: name.clone(), value }.to_string());
            self.settings.push('\n');
        }
    }

    /// Whether a setting weakens it, which engines do with chance.
    pub(super) fn is_limited(&self) -> bool {
        let settings = self.settings.to_ascii_lowercase();
        settings.contains("name uci_limitstrength value true") || settings.contains("name skill level")
    }

    /// The declaration of an option.
    pub(super) fn option(&self, name: &str) -> Option<&OptionDeclaration> {
        self.declared.iter().find(|option| option.is_named(name))
    }

    /// The range of a spin option; a limit that is not declared is the default.
    pub(super) fn range(&self, name: &str) -> Option<(i64, i64)> {
        match self.option(name)?.kind {
            OptionKind::Spin { default, min, max } => {
                let default = default.unwrap_or(1);
                Some((min.unwrap_or(default), max.unwrap_or(default)))
            }
            _ => None,
        }
    }

    /// A process of its own, greeted, set and ready.
    pub(super) fn fresh(&self) -> Result<Session, Trouble> {
        let (mut session, _) = Session::start(self.launch, Duration::ZERO)?;
        session.ping_after(&self.settings)?;
        Ok(session)
    }

    /// A process that other checks used before or will use after, at a new game.
    pub(super) fn session(&mut self) -> Result<&mut Session, Trouble> {
        let mut session = match self.session.take() {
            Some(session) => session,
            None => self.fresh()?,
        };
        session.ping_after("ucinewgame\n")?;
        Ok(self.session.insert(session))
    }

    /// Gives the shared process up, so that the next check starts another.
    pub(super) fn discard(&mut self) {
        self.session = None;
    }

    /// Searches of several positions, made once.
    pub(super) fn sample(&mut self) -> Result<Rc<Vec<Sampled>>, Trouble> {
        let sample = match self.sample.take() {
            Some(sample) => sample,
            None => self.make_sample().map(Rc::new),
        };
        self.sample = Some(sample.clone());
        sample
    }

    fn make_sample(&mut self) -> Result<Vec<Sampled>, Trouble> {
        let session = self.session()?;
        let fens = [places::MIDDLEGAME, places::ROOK_ENDING, places::PROMOTION, places::TACTICS];
        let mut all = vec![Place::start(), Place::after(&["e2e4", "c7c5", "g1f3"])];
        all.extend(fens.map(Place::at));
        let mut sample = Vec::new();
        for place in all {
            let search = session.search(&place, SAMPLE_GO)?;
            let after = session.gather(AFTERWARDS)?;
            sample.push(Sampled { place, search, after });
        }
        Ok(sample)
    }
}
