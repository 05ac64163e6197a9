//! What the engines alone cost in a match, for each way of asking them.
//!
//! Plays the games of a finished run again with the same programs, settings and moves, but with all
//! commands made beforehand: no rules, no files, no parsing beyond the search for `bestmove`. That is
//! the least that any runner can cost which asks in this way, on this machine, now:
//!
//! - `whole`: the opening and all moves, `isready` and `go` in one write (elometer);
//! - `round trip`: the same, but `readyok` is awaited before `go` (fastchess);
//! - `shortened`: the position after the last capture or pawn move and the moves since, then `go`
//!   (c-chess-cli).
//!
//! `cargo bench --bench floor -- RUN [CONCURRENCY [CPUS]]`, RUN the folder of a match without a clock,
//! CPUS as for `elometer run --cpus`.

use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use elometer::arena::{CpuChoice, CpuSlot, SideName, Workers};
use elometer::chess::{Game, StartPosition, fen, parse_engine_move};
use elometer::ladder::{PlannedEngine, RunFolder, find_engine};

/// The three ways to ask.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Whole,
    RoundTrip,
    Shortened,
}

/// One game.
struct Script {
    /// Whose turn it is first: 0 the subject's, 1 the opponent's.
    first: usize,
    plies: Vec<Ply>,
}

/// The commands of one ply, in full and shortened.
struct Ply {
    whole: String,
    shortened: String,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(run) = arguments.next() else {
        // `cargo bench` without arguments runs every target.
        println!("usage: cargo bench --bench floor -- RUN [CONCURRENCY [CPUS]]");
        return Ok(());
    };
    let concurrency: usize = arguments.next().map_or(Ok(2), |text| text.parse())?;
    let choice: CpuChoice = arguments.next().map_or(Ok(CpuChoice::Any), |text| text.parse())?;
    let workers = choice.workers(concurrency, 1)?;
    let folder = RunFolder::open(Path::new(&run))?;
    let (scripts, go) = scripts(&folder)?;
    let plan = folder.plan();
    let players = [(&plan.subject, &plan.subject.settings), (&plan.opponent, &plan.rungs[0].settings)];
    let plies: usize = scripts.iter().map(|script| script.plies.len()).sum();
    println!("{} games, {plies} plies, {concurrency} at once, processors: {choice}", scripts.len());
    for (name, way) in [("whole", Way::Whole), ("round trip", Way::RoundTrip), ("shortened", Way::Shortened)]
    {
        let (before, began) = (cpu_seconds()?, Instant::now());
        play(&players, &scripts, &go, way, &workers);
        let (wall, cpu) = (began.elapsed().as_secs_f64(), cpu_seconds()? - before);
        let (games, plies) = (scripts.len() as f64, plies as f64);
        println!(
            "{name:<11} {:>6.1} games/s {:>7.1} ms of CPU a game {:>7.1} us of CPU a ply",
            games / wall,
            1e3 * cpu / games,
            1e6 * cpu / plies
        );
    }
    Ok(())
}

/// Every command of every game in plan order, and the `go` of the subject.
fn scripts(folder: &RunFolder) -> Result<(Vec<Script>, String), Box<dyn Error>> {
    let plan = folder.plan();
    let (results, _) = folder.read_journal()?;
    let mut reader = folder.game_reader()?;
    let mut scripts = Vec::new();
    for (number, game, result) in results.counted() {
        let line = reader.read(number, result.place)?;
        let opening = plan.opening_of(game);
        let mut board = Game::new(StartPosition::from_fen(&opening.fen)?);
        let mut whole = format!("position fen {} moves", opening.fen);
        let mut shortened = whole.clone();
        let mut push = |text: &str, board: &mut Game| -> Result<(String, String), Box<dyn Error>> {
            let (m, _) = parse_engine_move(board.position(), text)?;
            board.play(m);
            let before = (whole.clone(), shortened.clone());
            whole.push_str(&format!(" {text}"));
            shortened.push_str(&format!(" {text}"));
            let now = fen(board.position());
            if now.split(' ').nth(4) == Some("0") {
                shortened = format!("position fen {now} moves");
            }
            Ok(before)
        };
        for text in &opening.moves {
            push(text, &mut board)?;
        }
        let first = usize::from(SideName::from(board.turn()) != game.subject);
        let plies = line.record.plies.iter().map(|ply| {
            let (whole, shortened) = push(&ply.m, &mut board)?;
            Ok(Ply { whole, shortened })
        });
        scripts.push(Script { first, plies: plies.collect::<Result<_, Box<dyn Error>>>()? });
    }
    Ok((scripts, plan.subject.limits.go().to_string()))
}

type Players<'a> = [(&'a PlannedEngine, &'a Vec<(String, String)>); 2];

fn play(players: &Players<'_>, scripts: &[Script], go: &str, way: Way, workers: &Workers) {
    let next = AtomicUsize::new(0);
    let slots: Mutex<Vec<CpuSlot>> = Mutex::new(workers.slots.clone());
    std::thread::scope(|scope| {
        for _ in 0..workers.count {
            scope.spawn(|| {
                if let Some(slot) = slots.lock().expect("no panic before").pop() {
                    slot.pin_this_thread().expect("the processor was allowed");
                }
                let mut engines = players.map(|(engine, settings)| Engine::start(engine, settings));
                while let Some(script) = scripts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for engine in &mut engines {
                        engine.say("ucinewgame\nisready\n");
                        engine.await_word("readyok");
                    }
                    for (number, ply) in script.plies.iter().enumerate() {
                        engines[(script.first + number) % 2].search(ply, go, way);
                    }
                }
                engines.into_iter().for_each(Engine::quit);
            });
        }
    });
}

/// An engine that is trusted to behave, as it did when the games were played.
struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: String,
    command: String,
}

impl Engine {
    fn start(engine: &PlannedEngine, settings: &[(String, String)]) -> Self {
        let file = find_engine(&engine.engine, Path::new(".")).expect("the engine is still there");
        let mut child = Command::new(&file.program)
            .args(&file.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        let mut engine = Self { child, input, output, line: String::new(), command: String::new() };
        engine.say("uci\n");
        engine.await_word("uciok");
        for (name, value) in settings {
            engine.say(&format!("setoption name {name} value {value}\n"));
        }
        engine
    }

    fn say(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("the engine reads");
    }

    fn await_word(&mut self, word: &str) {
        loop {
            self.line.clear();
            let read = self.output.read_line(&mut self.line).expect("the engine writes");
            assert!(read > 0, "the engine ended");
            if self.line.starts_with(word) {
                return;
            }
        }
    }

    fn search(&mut self, ply: &Ply, go: &str, way: Way) {
        let position = if way == Way::Shortened { &ply.shortened } else { &ply.whole };
        let mut command = std::mem::take(&mut self.command);
        command.clear();
        command.push_str(position.strip_suffix(" moves").unwrap_or(position));
        if way == Way::RoundTrip {
            command.push_str("\nisready\n");
            self.say(&command);
            self.await_word("readyok");
            command.clear();
        } else {
            command.push_str(if way == Way::Whole { "\nisready\n" } else { "\n" });
        }
        command.push_str(go);
        command.push('\n');
        self.say(&command);
        self.command = command;
        self.await_word("bestmove");
    }

    fn quit(mut self) {
        self.say("quit\n");
        self.child.wait().expect("the engine ends");
    }
}

/// User and system time of this process and of the engines that have ended.
fn cpu_seconds() -> Result<f64, Box<dyn Error>> {
    let stat = std::fs::read_to_string("/proc/self/stat")?;
    let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_ascii_whitespace();
    let ticks = fields.skip(11).take(4).map(str::parse::<f64>).sum::<Result<f64, _>>()?;
    Ok(ticks / rustix::param::clock_ticks_per_second() as f64)
}
