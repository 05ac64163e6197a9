//! Which processors a worker and its engines run on.
//!
//! An engine inherits the processors of the thread that starts it, so pinning a worker pins both
//! engines of its game. They share a slot: only one of them thinks at a time. Knows Linux's view of
//! the machine; elsewhere asking for processors is refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

/// What the user asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum CpuChoice {
    /// Wherever the system puts them.
    #[default]
    Any,
    /// One processor of each physical core, as many cores a game as its engines have threads.
    Auto,
    /// These processors, in this order.
    Listed(Vec<usize>),
}

/// The processors of one game at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuSlot(Vec<usize>);

/// How many games are played at once, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workers {
    /// Games at once, at least one.
    pub count: usize,
    /// One slot for each of them; empty where the system chooses.
    pub slots: Vec<CpuSlot>,
    /// Whether no game depends on time. A worker that has a slot then lets the engine it waits for
    /// say all it has to say before it looks: waking for every line costs more than the line.
    pub patient: bool,
}

impl From<usize> for Workers {
    fn from(count: usize) -> Self {
        Self { count, slots: Vec::new(), patient: false }
    }
}

/// Why engines cannot be pinned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AffinityError {
    /// Not a list of processors.
    #[error(
        "`{0}` is no list of processors\nhint: write none, auto, or numbers from 0 and ranges, such as 0,2,4-7"
    )]
    List(String),
    /// A processor stands in the list twice.
    #[error("processor {0} stands in the list twice\nhint: two games on one processor play weaker")]
    Twice(usize),
    /// This program may not run there.
    #[error("processor {cpu} cannot be used: this program may run on {allowed}\nhint: choose among these")]
    NotAllowed {
        /// As listed.
        cpu: usize,
        /// What the system allows.
        allowed: String,
    },
    /// Not enough for the games at once.
    #[error(
        "{games} games at once with {threads} threads an engine need {} {unit}, {found} found\n\
         hint: --concurrency {}, or --cpus none",
        games * threads,
        (found / threads).max(1)
    )]
    TooFew {
        /// Games at once.
        games: usize,
        /// Threads of the engine that has most.
        threads: usize,
        /// Processors or cores.
        unit: &'static str,
        /// How many there are.
        found: usize,
    },
    /// Not on this system.
    #[error("engines cannot be pinned to processors on this system\nhint: leave --cpus out")]
    Unsupported,
}

impl FromStr for CpuChoice {
    type Err = AffinityError;

    fn from_str(text: &str) -> Result<Self, AffinityError> {
        match text {
            "none" => return Ok(Self::Any),
            "auto" => return Ok(Self::Auto),
            _ => {}
        }
        let cpus = parse_list(text).ok_or_else(|| AffinityError::List(text.to_owned()))?;
        let mut seen = BTreeSet::new();
        match cpus.iter().find(|cpu| !seen.insert(**cpu)) {
            Some(cpu) => Err(AffinityError::Twice(*cpu)),
            None => Ok(Self::Listed(cpus)),
        }
    }
}

/// As it is written on the command line.
impl fmt::Display for CpuChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("none"),
            Self::Auto => f.write_str("auto"),
            Self::Listed(cpus) => f.write_str(&list_text(cpus)),
        }
    }
}

/// As the system writes lists: `0,2-3`.
fn parse_list(text: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last): (usize, usize) = (first.parse().ok()?, last.parse().ok()?);
        if first > last || last >= MOST_CPUS {
            return None;
        }
        cpus.extend(first..=last);
    }
    Some(cpus)
}

impl CpuChoice {
    /// How many threads can think at once without sharing a processor, or with [`CpuChoice::Auto`] a
    /// core; `None` where the system chooses.
    #[must_use]
    pub fn room(&self) -> Option<usize> {
        match self {
            Self::Any => None,
            Self::Auto => allowed_cpus().map(|cpus| cores(&cpus, siblings).len()),
            Self::Listed(cpus) => Some(cpus.len()),
        }
    }

    /// Where `games` games at once are played whose engines have up to `threads` threads.
    ///
    /// # Errors
    /// A processor that may not be used, too few of them, a system that cannot pin.
    pub fn workers(&self, games: usize, threads: usize) -> Result<Workers, AffinityError> {
        if *self == Self::Any {
            return Ok(Workers::from(games));
        }
        let allowed = allowed_cpus().ok_or(AffinityError::Unsupported)?;
        let slots = self.slots(games, threads.max(1), &allowed, siblings)?;
        Ok(Workers { count: games, slots, patient: false })
    }

    fn slots(
        &self,
        games: usize,
        threads: usize,
        allowed: &[usize],
        siblings: impl Fn(usize) -> Vec<usize>,
    ) -> Result<Vec<CpuSlot>, AffinityError> {
        let (cpus, unit) = match self {
            Self::Listed(cpus) => (cpus.clone(), "processors"),
            Self::Any | Self::Auto => (cores(allowed, siblings), "cores"),
        };
        if let Some(&cpu) = cpus.iter().find(|cpu| !allowed.contains(cpu)) {
            return Err(AffinityError::NotAllowed { cpu, allowed: list_text(allowed) });
        }
        if cpus.len() < games * threads {
            return Err(AffinityError::TooFew { games, threads, unit, found: cpus.len() });
        }
        Ok(cpus.chunks(threads).take(games).map(|slot| CpuSlot(slot.to_vec())).collect())
    }
}

/// The first allowed processor of every core.
fn cores(allowed: &[usize], siblings: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut first_of = BTreeMap::new();
    for &cpu in allowed {
        let core = siblings(cpu).into_iter().min().unwrap_or(cpu);
        first_of.entry(core).or_insert(cpu);
    }
    first_of.into_values().collect()
}

/// The processors that share a core with this one; it alone where the system does not tell.
fn siblings(cpu: usize) -> Vec<usize> {
    let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
    std::fs::read_to_string(path).ok().and_then(|text| parse_list(&text)).unwrap_or_else(|| vec![cpu])
}

fn list_text(cpus: &[usize]) -> String {
    cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}

impl fmt::Display for CpuSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&list_text(&self.0))
    }
}

#[cfg(target_os = "linux")]
const MOST_CPUS: usize = rustix::thread::CpuSet::MAX_CPU;
#[cfg(not(target_os = "linux"))]
const MOST_CPUS: usize = 1024;

/// What the present thread may run on.
#[cfg(target_os = "linux")]
fn allowed_cpus() -> Option<Vec<usize>> {
    let set = rustix::thread::sched_getaffinity(None).ok()?;
    Some((0..MOST_CPUS).filter(|cpu| set.is_set(*cpu)).collect())
}

#[cfg(not(target_os = "linux"))]
fn allowed_cpus() -> Option<Vec<usize>> {
    None
}

impl CpuSlot {
    /// Binds the present thread, and every engine that it starts from now on.
    ///
    /// # Errors
    /// The system's word.
    #[cfg(target_os = "linux")]
    pub fn pin_this_thread(&self) -> std::io::Result<()> {
        let mut set = rustix::thread::CpuSet::new();
        self.0.iter().for_each(|cpu| set.set(*cpu));
        Ok(rustix::thread::sched_setaffinity(None, &set)?)
    }

    /// Lets the present thread, and every engine that it starts from now on, be woken without
    /// interrupting what runs on its processor (`SCHED_BATCH`). A system that refuses is only slower.
    #[cfg(target_os = "linux")]
    #[allow(unsafe_code)]
    pub fn be_patient() {
        let parameters = libc::sched_param { sched_priority: 0 };
        // SAFETY: the call reads the structure it is given, which lives on this stack, and changes
        // nothing of this program but how the system schedules the calling thread.
        unsafe { libc::sched_setscheduler(0, libc::SCHED_BATCH, &raw const parameters) };
    }

    /// Nothing to be done on this system.
    #[cfg(not(target_os = "linux"))]
    pub fn be_patient() {}

    /// Never called: no slot is made where the system cannot pin.
    ///
    /// # Errors
    /// Always.
    #[cfg(not(target_os = "linux"))]
    pub fn pin_this_thread(&self) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sockets of two cores with two threads each, numbered as Linux likes to: siblings differ
    /// by four.
    fn siblings_by_four(cpu: usize) -> Vec<usize> {
        vec![cpu % 4, cpu % 4 + 4]
    }

    fn slots(choice: &str, games: usize, threads: usize, allowed: &[usize]) -> Result<String, AffinityError> {
        let choice: CpuChoice = choice.parse()?;
        let slots = choice.slots(games, threads, allowed, siblings_by_four)?;
        Ok(slots.iter().map(CpuSlot::to_string).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn auto_gives_every_game_cores_of_its_own() {
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(slots("auto", 4, 1, &all).unwrap(), "0 1 2 3");
        assert_eq!(slots("auto", 2, 2, &all).unwrap(), "0,1 2,3");
        // A container that holds both threads of one core and one of another.
        assert_eq!(slots("auto", 2, 1, &[1, 5, 6]).unwrap(), "1 6");
        assert_eq!(
            slots("auto", 5, 1, &all).unwrap_err().to_string(),
            "5 games at once with 1 threads an engine need 5 cores, 4 found\n\
             hint: --concurrency 4, or --cpus none"
        );
    }

    #[test]
    fn a_list_is_taken_in_its_order_and_checked() {
        let all: Vec<usize> = (0..8).collect();
        assert_eq!(slots("6,2-4", 2, 2, &all).unwrap(), "6,2 3,4");
        assert!(matches!(slots("0,1", 3, 1, &all), Err(AffinityError::TooFew { found: 2, .. })));
        assert!(matches!(slots("9", 1, 1, &all), Err(AffinityError::NotAllowed { cpu: 9, .. })));
        assert_eq!(slots("1-3,2", 1, 1, &all), Err(AffinityError::Twice(2)));
        for wrong in ["", "a", "1-", "3-1", "0,,1", "-1", "99999999", "0-99999999", "Auto"] {
            assert_eq!(slots(wrong, 1, 1, &all), Err(AffinityError::List(wrong.to_owned())), "{wrong}");
        }
    }

    /// The scheduling policy of the present thread, field 41 of proc(5)'s `stat`.
    #[cfg(target_os = "linux")]
    fn policy() -> i32 {
        let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
        let (_, fields) = stat.rsplit_once(')').unwrap();
        fields.split_whitespace().nth(41 - 3).unwrap().parse().unwrap()
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_patient_thread_is_batch_work_and_no_other_is() {
        let before = policy();
        let inside = std::thread::spawn(|| {
            CpuSlot::be_patient();
            policy()
        });
        assert_eq!((inside.join().unwrap(), policy()), (libc::SCHED_BATCH, before));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pinned_thread_runs_nowhere_else() {
        let allowed = allowed_cpus().unwrap();
        let last = *allowed.last().unwrap();
        let inside = std::thread::spawn(move || {
            CpuSlot(vec![last]).pin_this_thread().unwrap();
            allowed_cpus().unwrap()
        });
        assert_eq!(inside.join().unwrap(), [last]);
        assert_eq!(allowed_cpus().unwrap(), allowed);
    }
}
