//! How one engine is set up, by a spec or by a command line: where its program is, what it is started
//! with and where, and which files make it. One place for both, so that an engine is the same thing to
//! every command.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::engine_file;
use super::error::LadderError;
use super::identity::{EngineFiles, FileSources, Identity, Program, file_sha256, portable};
use crate::arena::{History, Limits};
use crate::uci::process::{Deadlines, Engine, EngineFault, Launch, WorkingFolder, declared_default};
use crate::uci::protocol::{OptionDeclaration, OptionKind};

/// Whose relative paths they are, and where the engine starts unless a folder is named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A spec in this folder: paths start there, and so does the engine.
    Spec(PathBuf),
    /// A command without a spec: paths start in the caller's folder, the engine in a temporary one.
    Command,
}

/// How one engine is set up.
#[derive(Clone, Debug)]
pub struct EngineSetup {
    /// `builtin:NAME`, a name on `PATH`, or a path with a slash.
    pub engine: String,
    /// What messages call it until it says its own name.
    pub label: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The folder it starts in; see [`Origin`] when absent.
    pub directory: Option<PathBuf>,
    /// Files that make it.
    pub files: Vec<PathBuf>,
    /// Files that it may write.
    pub mutable: Vec<PathBuf>,
    /// A command whose first line of output is the version of what runs it.
    pub runtime: Vec<String>,
    /// Where paths start.
    pub origin: Origin,
    /// The deadlines of its commands.
    pub deadlines: Deadlines,
}

/// What is allowed in a set-up but may not be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SetupWarning {
    /// The program is a script (its first line starts with `#!`) and no files are listed: the files
    /// that it starts are not part of its identity.
    UnlistedScript {
        /// As the spec or the command names it.
        engine: String,
    },
}

/// What an engine said of itself, and what it is then told.
#[derive(Clone, Copy, Debug)]
pub struct Greeted<'a> {
    /// The name it gave.
    pub id_name: Option<&'a str>,
    /// The author it gave.
    pub id_author: Option<&'a str>,
    /// The options it declared.
    pub declared: &'a [OptionDeclaration],
    /// The options as they are sent.
    pub settings: &'a [(String, String)],
}

/// What an engine said of itself when it was started once.
#[derive(Clone, Debug)]
pub struct Greeting {
    /// The name it gave, else what it was started as.
    pub name: String,
    id_name: Option<String>,
    id_author: Option<String>,
    /// The options it declared.
    pub declared: Vec<OptionDeclaration>,
}

impl Greeting {
    /// Starts the engine, reads what it says of itself and lets it go.
    ///
    /// # Errors
    /// It does not start, or does not finish the handshake in time.
    pub fn hear(launch: &Launch) -> Result<Self, EngineFault> {
        let engine = Engine::launch(launch)?;
        let greeting = Self {
            name: engine.name().to_owned(),
            id_name: engine.id_name().map(str::to_owned),
            id_author: engine.author().map(str::to_owned),
            declared: engine.declared().to_vec(),
        };
        engine.quit();
        Ok(greeting)
    }

    /// The name it gave, if it gave one.
    #[must_use]
    pub fn id_name(&self) -> Option<&str> {
        self.id_name.as_deref()
    }

    /// The same with the options that it is then sent.
    #[must_use]
    pub fn with<'a>(&'a self, settings: &'a [(String, String)]) -> Greeted<'a> {
        Greeted {
            id_name: self.id_name.as_deref(),
            id_author: self.id_author.as_deref(),
            declared: &self.declared,
            settings,
        }
    }
}

impl EngineSetup {
    /// Where relative paths start.
    fn folder(&self) -> &Path {
        match &self.origin {
            Origin::Spec(folder) => folder,
            Origin::Command => Path::new(""),
        }
    }

    /// How to start it.
    ///
    /// # Errors
    /// The program is nowhere, the folder is none, or an argument of a command names a file of the
    /// caller's folder, in which the engine does not start.
    pub fn launch(&self) -> Result<Launch, LadderError> {
        let file = engine_file::find(&self.engine, self.folder())?;
        let directory = match (&self.directory, &self.origin) {
            (Some(directory), _) => WorkingFolder::Given(self.folder().join(directory)),
            (None, Origin::Spec(folder)) if !folder.as_os_str().is_empty() => {
                WorkingFolder::Given(folder.clone())
            }
            (None, Origin::Spec(_)) => WorkingFolder::Given(PathBuf::from(".")),
            (None, Origin::Command) => WorkingFolder::temporary()
                .map_err(|error| LadderError::io(&std::env::temp_dir(), "create a folder in", error))?,
        };
        if !directory.path().is_dir() {
            let directory = directory.path().to_owned();
            return Err(LadderError::NoDirectory { engine: self.engine.clone(), directory });
        }
        if self.directory.is_none() && self.origin == Origin::Command {
            let elsewhere = |argument: &&String| {
                let path = Path::new(argument.as_str());
                path.is_relative() && path.is_file()
            };
            if let Some(argument) = self.arguments.iter().find(elsewhere) {
                return Err(LadderError::ArgumentElsewhere {
                    engine: self.engine.clone(),
                    argument: argument.clone(),
                });
            }
        }
        Ok(Launch {
            label: self.label.clone(),
            program: file.program,
            arguments: file.arguments.into_iter().chain(self.arguments.iter().cloned()).collect(),
            directory,
            deadlines: self.deadlines.clone(),
            log: None,
            expected: None,
        })
    }

    /// The files that make it: listed, or named by an argument, a set option or a declared default.
    ///
    /// # Errors
    /// As [`EngineFiles::gather`].
    pub fn files(&self, launch: &Launch, greeted: Greeted<'_>) -> Result<EngineFiles, LadderError> {
        let mut texts = Vec::new();
        for option in greeted.declared {
            if !matches!(option.kind, OptionKind::String { .. } | OptionKind::Combo { .. }) {
                continue;
            }
            let set = greeted.settings.iter().find(|(name, _)| option.is_named(name));
            let value = set.map(|(_, value)| value.clone()).or_else(|| declared_default(option));
            texts.extend(value.map(|value| (option.name.clone(), value)));
        }
        EngineFiles::gather(&FileSources {
            folder: self.folder(),
            working: launch.directory.path(),
            files: &self.files,
            mutable: &self.mutable,
            arguments: &self.arguments,
            texts: &texts,
        })
    }

    /// Its program, with the files that make it (see [`EngineSetup::files`]).
    ///
    /// # Errors
    /// A file that cannot be read, a runtime that does not tell its version.
    pub fn program(
        &self,
        launch: &Launch,
        greeted: Greeted<'_>,
        files: &EngineFiles,
    ) -> Result<Program, LadderError> {
        let runtime = match self.runtime.split_first() {
            Some((program, arguments)) => {
                let file = engine_file::find(program, self.folder())?;
                let line = crate::uci::process::first_line_of(&file.program, arguments);
                Some(line.map_err(LadderError::Runtime)?)
            }
            None => None,
        };
        Ok(Program {
            id_name: greeted.id_name.map(str::to_owned),
            id_author: greeted.id_author.map(str::to_owned),
            program_sha256: file_sha256(&launch.program)?,
            files_sha256: files.sha256.clone(),
            runtime,
        })
    }

    /// Its identity under these limits.
    ///
    /// # Errors
    /// As [`EngineSetup::program`].
    pub fn identity(
        &self,
        launch: &Launch,
        greeted: Greeted<'_>,
        limits: Limits,
        history: History,
    ) -> Result<Identity, LadderError> {
        Ok(Identity {
            program: self.program(launch, greeted, &self.files(launch, greeted)?)?,
            arguments: self.portable_arguments(),
            directory: self.portable_directory(),
            options: self.portable_settings(launch, greeted.settings),
            limits,
            history,
        })
    }

    /// The arguments without absolute paths.
    #[must_use]
    pub fn portable_arguments(&self) -> Vec<String> {
        self.arguments.iter().map(|argument| portable(argument, self.folder())).collect()
    }

    /// The working folder from the spec's folder, `.` for that folder itself; empty for a temporary
    /// one.
    #[must_use]
    pub fn portable_directory(&self) -> String {
        match (&self.directory, &self.origin) {
            (Some(directory), _) => portable(&directory.to_string_lossy(), self.folder()),
            (None, Origin::Spec(_)) => ".".to_owned(),
            (None, Origin::Command) => String::new(),
        }
    }

    /// Settings without absolute paths.
    #[must_use]
    pub fn portable_settings(&self, launch: &Launch, settings: &[(String, String)]) -> Vec<(String, String)> {
        let working = launch.directory.path();
        settings.iter().map(|(name, value)| (name.clone(), portable(value, working))).collect()
    }

    /// What is allowed but may not be meant.
    #[must_use]
    pub fn warnings(&self, launch: &Launch) -> Vec<SetupWarning> {
        let script = SetupWarning::UnlistedScript { engine: self.engine.clone() };
        if self.is_unlisted_script(launch) { vec![script] } else { Vec::new() }
    }

    /// Whether the program is a script whose own files nobody listed: then a change in them goes
    /// unnoticed.
    #[must_use]
    pub fn is_unlisted_script(&self, launch: &Launch) -> bool {
        let mut start = [0; 2];
        let is_script = File::open(&launch.program)
            .and_then(|mut file| file.read_exact(&mut start))
            .is_ok_and(|()| start == *b"#!");
        is_script && self.files.is_empty()
    }
}
