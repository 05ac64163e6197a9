//! The fallible engine through the protocol.

use elometer::chess::{
    CastlingMode, Chess, Color, Ending, Game, Move, Position as _, Role, Square, StartPosition,
    parse_engine_move, uci,
};
use elometer::uci::protocol::{EngineMessage, Info, parse_engine_line};

use super::session::{Session, masked};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9";

/// No depth is named, so the engine searches as deep as it wants; the nodes are out of reach.
const OWN_DEPTH: &str = "go nodes 100000000";

/// What the engine said of one search.
struct Said {
    infos: Vec<Info>,
    best: String,
}

impl Said {
    fn ask(session: &mut Session, go: &str) -> Self {
        let lines = session.ask(go, "bestmove");
        let best = lines.last().unwrap().split(' ').nth(1).unwrap().to_owned();
        let info = |line: &String| match parse_engine_line(line.as_bytes(), &mut Vec::new()) {
            EngineMessage::Info(info) => Some(*info),
            _ => None,
        };
        Self { infos: lines.iter().filter_map(info).collect(), best }
    }

    /// The words of the line that begins with `played`.
    fn played(&self) -> Vec<&str> {
        let mut strings = self.infos.iter().rev().filter_map(|info| info.string.as_deref());
        strings.find(|text| text.starts_with("played ")).unwrap().split(' ').collect()
    }

    /// What follows a word of that line.
    fn after(&self, word: &str) -> &str {
        let words = self.played();
        let at = words.iter().position(|other| *other == word).unwrap_or_else(|| panic!("{word}: {words:?}"));
        words[at + 1]
    }

    /// The last score of each ranked line, in centipawns.
    fn ranked(&self) -> Vec<(String, i32)> {
        let mut lines: Vec<(u32, String, i32)> = Vec::new();
        for info in &self.infos {
            let (Some(rank), Some(score)) = (info.multipv, info.score) else { continue };
            let elometer::chess::Score::Cp(cp) = score.score else { continue };
            lines.push((rank, info.pv[0].clone(), cp));
        }
        lines.sort();
        lines.into_iter().map(|(_, m, cp)| (m, cp)).collect()
    }
}

fn set(session: &mut Session, name: &str, value: impl std::fmt::Display) {
    session.send(&format!("setoption name {name} value {value}"));
}

#[test]
fn a_session_reads_as_it_always_did() {
    let mut session = Session::start("fallible");
    let mut transcript = session.ask("uci", "uciok");
    session.send("ucinewgame");
    session.send("position startpos moves e2e4 d7d5 e4d5");
    transcript.extend(session.ask("go depth 2", "bestmove"));
    set(&mut session, "Hint", true);
    transcript.extend(session.ask("go depth 2", "bestmove"));
    set(&mut session, "MultiPV", 3);
    transcript.extend(session.ask("go depth 1", "bestmove"));
    set(&mut session, "MultiPV", 1);
    session.send("position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1");
    transcript.extend(session.ask("go depth 4", "bestmove"));
    session.send("quit");
    session.end();
    let transcript: Vec<_> = transcript.iter().map(|line| masked(line)).collect();
    assert_eq!(transcript[0], concat!("id name elometer fallible ", env!("CARGO_PKG_VERSION")));
    insta::assert_snapshot!(transcript[1..].join("\n"));
}

#[test]
fn the_chances_on_a_real_position_are_those_of_the_formula() {
    let mut session = Session::start("fallible");
    session.send(&format!("position fen {MIDDLEGAME}"));
    set(&mut session, "Hint", true);
    set(&mut session, "MultiPV", 256);
    let scores = Said::ask(&mut session, "go depth 1").ranked();
    let legal = StartPosition::from_fen(MIDDLEGAME).unwrap().position().legal_moves().len();
    assert_eq!(scores.len(), legal, "every move is reported");
    // The formula of the seed in floating point, from the scores the engine reports.
    let best = scores[0].1;
    let weights: Vec<f64> = (0..)
        .zip(&scores)
        .map(|(rank, (_, cp))| {
            let drop = f64::from(best - cp);
            if drop <= 300.0 { 0.78_f64.powi(rank) * (-drop / 130.0).exp() } else { 0.0 }
        })
        .collect();
    let sum: f64 = weights.iter().sum();

    set(&mut session, "Hint", false);
    set(&mut session, "MultiPV", 1);
    let seeds = 4000;
    let mut counts = vec![0_u32; scores.len()];
    for seed in 0..seeds {
        set(&mut session, "Seed", seed);
        let said = Said::ask(&mut session, "go depth 1");
        counts[scores.iter().position(|(m, _)| *m == said.best).unwrap()] += 1;
    }
    session.end();
    // Places that are expected fewer than ten times count as one.
    let (mut statistic, mut cells, mut rare, mut rarely) = (0.0, 0, 0.0, 0.0);
    for (count, weight) in counts.iter().zip(&weights) {
        let expected = weight / sum * f64::from(seeds);
        assert!(expected > 0.0 || *count == 0, "a move beyond the ceiling was played");
        if expected < 10.0 {
            rare += expected;
            rarely += f64::from(*count);
        } else {
            statistic += (f64::from(*count) - expected).powi(2) / expected;
            cells += 1;
        }
    }
    if rare > 0.0 {
        statistic += (rarely - rare).powi(2) / rare;
    }
    // R: qchisq(.999, 5) is 20.5, qchisq(.999, 25) is 52.6.
    let limit = 20.5 + (52.6 - 20.5) * f64::from(cells - 5) / 20.0;
    assert!((5..=25).contains(&cells) && statistic < limit, "{statistic} over {cells} cells: {counts:?}");
}

#[test]
fn a_move_is_a_function_of_position_and_seed_or_of_the_game() {
    let mut session = Session::start("fallible");
    let go = "go depth 1";
    let play = |session: &mut Session, position: &str| {
        session.send(position);
        Said::ask(session, go).best
    };
    let fen = format!("position fen {MIDDLEGAME}");
    let first = play(&mut session, &fen);
    play(&mut session, "position startpos");
    session.send("ucinewgame");
    assert_eq!(play(&mut session, &fen), first, "nothing of earlier games is left");
    let by_moves = play(&mut session, "position startpos moves d2d4 g8f6 c2c4 e7e6");
    assert_eq!(play(&mut session, "position startpos moves c2c4 e7e6 d2d4 g8f6"), by_moves);

    set(&mut session, "Randomness", "game");
    let mut by_game = std::collections::BTreeSet::new();
    for _ in 0..40 {
        session.send("ucinewgame");
        let here = play(&mut session, &fen);
        assert_eq!(play(&mut session, &fen), here, "the same game, the same moves so far");
        by_game.insert(here);
    }
    assert!(by_game.len() > 2, "{by_game:?}");
    session.end();
}

#[test]
fn a_hint_is_the_same_by_fen_or_moves_whatever_the_seed_and_what_was_asked_before() {
    let moves = "d2d4 g8f6 c2c4 e7e6 g1f3 d7d5 b1c3 f8e7 f3g1 e7f8 g1f3 f8e7 f3g1 e7f8";
    let mut position = Chess::default();
    for text in moves.split(' ') {
        position.play_unchecked(parse_engine_move(&position, text).unwrap().0);
    }
    let fen = elometer::chess::fen(&position);
    let mut session = Session::start("fallible");
    set(&mut session, "Hint", true);
    let mut answers = Vec::new();
    for (seed, command) in [
        (1, format!("position startpos moves {moves}")),
        (2, format!("position fen {MIDDLEGAME}")),
        (3, format!("position fen {fen}")),
        (4, format!("position startpos moves {moves}")),
    ] {
        set(&mut session, "Seed", seed);
        session.send(&command);
        let lines = session.ask("go depth 3", "bestmove");
        answers.push(lines.iter().map(|line| masked(line)).collect::<Vec<_>>());
    }
    session.end();
    assert_eq!(answers[0], answers[2], "the game repeats positions, the hint does not look back");
    assert_eq!(answers[0], answers[3]);
    assert_ne!(answers[0], answers[1]);
    assert!(answers[0].iter().any(|line| line.contains("by hint rank 1 of 1 drop 0 share 1.000000")));
}

#[test]
fn the_line_of_what_was_played_agrees_with_the_scores() {
    let mut session = Session::start("fallible");
    session.send(&format!("position fen {MIDDLEGAME}"));
    set(&mut session, "Temperature", 1000);
    for seed in 0..40 {
        set(&mut session, "Seed", seed);
        let said = Said::ask(&mut session, "go depth 2");
        let ranked = said.ranked();
        let rank: usize = said.after("rank").parse().unwrap();
        assert_eq!(said.after("played"), said.best);
        assert_eq!(said.after("by"), "choice");
        assert_eq!(said.after("of").parse(), Ok(ranked.len()));
        assert_eq!(ranked[rank - 1].0, said.best);
        assert_eq!(said.after("drop").parse(), Ok(ranked[0].1 - ranked[rank - 1].1));
        let last = said.infos.iter().rfind(|info| info.score.is_some()).unwrap();
        assert_eq!((&last.pv[0], last.multipv), (&said.best, None), "the last score is that of the move");
        assert_eq!(last.score.unwrap().score, elometer::chess::Score::Cp(ranked[rank - 1].1));
    }
    session.end();
}

#[test]
fn it_takes_back_nearly_always_when_that_is_sound() {
    // Positions right after a capture that the side to move can answer on the same square.
    let games = [
        "e2e4 d7d5 e4d5",
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6",
        "d2d4 d7d5 c2c4 e7e6 c4d5",
        "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4",
        "e2e4 e7e6 d2d4 d7d5 b1c3 d5e4",
    ];
    let mut session = Session::start("fallible");
    let mut taken = [0, 0];
    for (index, weight) in [40, 1].into_iter().enumerate() {
        set(&mut session, "RecaptureWeight", weight);
        for game in games {
            let square = &game[game.len() - 2..];
            session.send(&format!("position startpos moves {game}"));
            for seed in 0..20 {
                set(&mut session, "Seed", seed);
                taken[index] += u32::from(Said::ask(&mut session, "go depth 2").best[2..4] == *square);
            }
        }
    }
    session.end();
    assert!(taken[0] >= 95 && taken[0] > taken[1], "{taken:?} of 100 with and without the nudge");
}

/// Plays from `start`; `choose` picks the other side's move. Returns how the game ended.
fn play_out(
    session: &mut Session,
    start: &StartPosition,
    engine: Color,
    most_plies: usize,
    go: &str,
    mut watch: impl FnMut(&Said),
    mut choose: impl FnMut(&Game) -> Move,
) -> Option<Ending> {
    let mut game = Game::new(start.clone());
    session.send("ucinewgame");
    for _ in 0..most_plies {
        if let Some(ending) = game.ending() {
            return Some(ending);
        }
        let m = if game.turn() == engine {
            let moves: Vec<String> = game.moves().iter().map(|m| uci(*m, CastlingMode::Standard)).collect();
            session.send(&format!("position fen {} moves {}", start.fen(), moves.join(" ")));
            let said = Said::ask(session, go);
            watch(&said);
            parse_engine_move(game.position(), &said.best).unwrap().0
        } else {
            choose(&game)
        };
        game.play(m);
    }
    game.ending()
}

#[test]
fn a_random_mover_is_mated_and_no_move_on_the_way_loses_more_than_the_ceiling() {
    let mut session = Session::start("fallible");
    let mut below_best = 0;
    for number in 0..4_u64 {
        set(&mut session, "Seed", number);
        let mut state = number;
        let engine = if number % 2 == 0 { Color::White } else { Color::Black };
        let start = StartPosition::standard();
        let watch = |said: &Said| {
            let drop: i32 = said.after("drop").parse().unwrap();
            assert!((0..=300).contains(&drop), "{:?}", said.played());
            below_best += u32::from(drop > 0);
            let best = said
                .infos
                .iter()
                .filter_map(|info| info.score)
                .any(|score| matches!(score.score, elometer::chess::Score::Mate(moves) if moves > 0));
            assert!(!best || said.after("by") == "mate", "a mate seen is played: {:?}", said.played());
        };
        let ending = play_out(&mut session, &start, engine, 300, "go depth 3", watch, |game| {
            // Knuth's linear congruence; the high bits choose.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let moves = game.position().legal_moves();
            moves[(state >> 33) as usize % moves.len()]
        });
        assert_eq!(ending, Some(Ending::Checkmate), "game {number}");
    }
    session.end();
    assert!(below_best > 10, "{below_best}");
}

/// How many plies a lone king can hold out against king and one piece, from every position.
///
/// Independent of the engines and of the rules library: squares as numbers, moves by steps.
struct LoneKing {
    queen: bool,
    /// By white king, piece, black king; Black to move.
    black: Vec<u8>,
}

const UNKNOWN: u8 = u8::MAX;

impl LoneKing {
    fn new(queen: bool) -> Self {
        let index = |king: usize, piece: usize, other: usize| (king * 64 + piece) * 64 + other;
        let mut this = Self { queen, black: vec![UNKNOWN; 1 << 18] };
        let mut white = vec![UNKNOWN; 1 << 18];
        for plies in 0..80_u8 {
            let mut any = false;
            for king in 0..64 {
                for piece in (0..64).filter(|piece| *piece != king) {
                    for other in (0..64).filter(|other| *other != king && *other != piece) {
                        let at = index(king, piece, other);
                        if near(king, other) {
                            continue;
                        }
                        if plies % 2 == 0 && this.black[at] == UNKNOWN {
                            // Lost when every move is into a loss, and in check when there is none.
                            let in_check = this.attacks(piece, other, king);
                            let mut escapes = 0;
                            let mut lost = true;
                            for to in steps(other).filter(|to| !near(*to, king)) {
                                if to == piece {
                                    (escapes, lost) = (1, false);
                                } else if !this.attacks(piece, to, king) {
                                    escapes += 1;
                                    lost &= white[index(king, piece, to)] < plies;
                                }
                            }
                            if lost && (escapes > 0 || in_check) && (escapes > 0 || plies == 0) {
                                this.black[at] = plies;
                                any = true;
                            }
                        }
                        if plies % 2 == 1 && white[at] == UNKNOWN && !this.attacks(piece, other, king) {
                            let by_king = steps(king)
                                .filter(|to| *to != piece && !near(*to, other))
                                .any(|to| this.black[index(to, piece, other)] < plies);
                            let by_piece = (0..64)
                                .filter(|to| {
                                    *to != king && *to != piece && this.reaches(piece, *to, &[king, other])
                                })
                                .any(|to| this.black[index(king, to, other)] < plies);
                            if by_king || by_piece {
                                white[at] = plies;
                                any = true;
                            }
                        }
                    }
                }
            }
            if !any && plies > 1 {
                break;
            }
        }
        // Black looks at where White would be to move.
        this.black = white;
        this
    }

    /// Whether a line runs from `from` to `to` past none of `blockers`.
    fn reaches(&self, from: usize, to: usize, blockers: &[usize]) -> bool {
        let (file, rank) = (to as i32 % 8 - from as i32 % 8, to as i32 / 8 - from as i32 / 8);
        let straight = file == 0 || rank == 0;
        let diagonal = file.abs() == rank.abs();
        if from == to || !(straight || self.queen && diagonal) {
            return false;
        }
        let step = rank.signum() * 8 + file.signum();
        let mut at = from as i32 + step;
        while at != to as i32 {
            if blockers.contains(&(at as usize)) {
                return false;
            }
            at += step;
        }
        true
    }

    /// The black king hides no square behind it: it is the one that moves.
    fn attacks(&self, piece: usize, target: usize, king: usize) -> bool {
        self.reaches(piece, target, &[king])
    }

    /// The move after which White needs longest; one that takes the piece before all.
    fn defend(&self, game: &Game) -> Move {
        let value = |m: &Move| {
            if m.is_capture() {
                return 255;
            }
            let mut after = game.position().clone();
            after.play_unchecked(*m);
            let board = after.board();
            let square = |role: Role, color: Color| -> usize {
                let found: Vec<Square> = (board.by_role(role) & board.by_color(color)).into_iter().collect();
                found[0].to_usize()
            };
            let piece = if self.queen { Role::Queen } else { Role::Rook };
            let (king, piece) = (square(Role::King, Color::White), square(piece, Color::White));
            self.black[(king * 64 + piece) * 64 + square(Role::King, Color::Black)]
        };
        let moves = game.position().legal_moves();
        *moves.iter().max_by_key(|m| value(m)).unwrap()
    }
}

fn near(one: usize, other: usize) -> bool {
    (one % 8).abs_diff(other % 8) <= 1 && (one / 8).abs_diff(other / 8) <= 1
}

fn steps(from: usize) -> impl Iterator<Item = usize> {
    (0..64).filter(move |to| *to != from && near(from, *to))
}

#[test]
fn queen_and_rook_mate_a_lone_king_from_awkward_corners_against_best_defence() {
    let mut session = Session::start("fallible");
    for (queen, longest, fens) in [
        // The longest wins against best defence take 10 and 16 moves: 19 and 31 plies.
        (
            true,
            19,
            [
                "7K/8/8/8/4k3/8/8/Q7 w - - 0 1",
                "K7/1Q6/8/4k3/8/8/8/8 w - - 0 1",
                "8/8/3k4/8/8/8/8/KQ6 w - - 0 1",
            ],
        ),
        (
            false,
            31,
            [
                "7K/8/8/8/3k4/8/8/R7 w - - 0 1",
                "K7/1R6/8/4k3/8/8/8/8 w - - 0 1",
                "8/8/3k4/8/8/8/8/KR6 w - - 0 1",
            ],
        ),
    ] {
        let table = LoneKing::new(queen);
        let known = table.black.iter().filter(|plies| **plies != UNKNOWN);
        assert_eq!(known.max(), Some(&longest), "the table itself");
        for fen in fens {
            let start = StartPosition::from_fen(fen).unwrap();
            let by = |said: &Said| assert!(["won-endgame", "mate"].contains(&said.after("by")), "{fen}");
            let ending =
                play_out(&mut session, &start, Color::White, 100, OWN_DEPTH, by, |game| table.defend(game));
            assert_eq!(ending, Some(Ending::Checkmate), "{fen}");
        }
    }
    session.end();
}

#[test]
fn other_won_endgames_are_converted_against_the_classic_engine() {
    let mut session = Session::start("fallible");
    let mut defender = Session::start("classic");
    for (fen, engine) in [
        ("8/8/8/3k4/8/8/P7/K6R w - - 0 1", Color::White),
        ("k7/8/8/8/4n3/8/8/K6Q w - - 0 1", Color::White),
        ("8/5p2/8/3k4/8/8/8/K6R w - - 0 1", Color::White),
        ("3k4/8/8/8/8/8/8/KBB5 w - - 0 1", Color::White),
        ("r6k/8/8/8/3K4/8/5P2/8 b - - 0 1", Color::Black),
    ] {
        let start = StartPosition::from_fen(fen).unwrap();
        let ending = play_out(
            &mut session,
            &start,
            engine,
            200,
            OWN_DEPTH,
            |_| {},
            |game| {
                let moves: Vec<String> =
                    game.moves().iter().map(|m| uci(*m, CastlingMode::Standard)).collect();
                defender.send(&format!("position fen {} moves {}", start.fen(), moves.join(" ")));
                let answer = defender.ask("go depth 4", "bestmove").pop().unwrap();
                parse_engine_move(game.position(), answer.split(' ').nth(1).unwrap()).unwrap().0
            },
        );
        assert_eq!(ending, Some(Ending::Checkmate), "{fen}");
    }
    session.end();
    defender.end();
}

#[test]
fn mates_are_played_and_not_walked_into_whatever_the_seed() {
    let mut session = Session::start("fallible");
    set(&mut session, "Temperature", 10_000);
    set(&mut session, "RankDecay", 100);
    set(&mut session, "Ceiling", 10_000);
    for seed in 0..30 {
        set(&mut session, "Seed", seed);
        session.send("position fen 5r1k/1b2Nppp/8/2R5/4Q3/8/5PPP/6K1 w - - 0 1");
        assert_eq!(Said::ask(&mut session, "go depth 4").best, "e4h7");
        // White threatens mate on b8.
        session.send("position fen 6k1/5ppp/8/8/8/8/r4PPP/1R4K1 b - - 0 1");
        let said = Said::ask(&mut session, "go depth 3");
        session.send(&format!("position fen 6k1/5ppp/8/8/8/8/r4PPP/1R4K1 b - - 0 1 moves {}", said.best));
        let reply = Said::ask(&mut session, "go depth 1");
        assert_ne!(reply.after("by"), "mate", "{} allows mate", said.best);
    }
    session.end();
}

#[test]
fn nodes_bound_the_search_and_the_answer_is_still_legal() {
    let mut session = Session::start("fallible");
    session.send(&format!("position fen {MIDDLEGAME}"));
    for nodes in [0, 1, 20, 300, 5_000] {
        let said = Said::ask(&mut session, &format!("go nodes {nodes}"));
        let searched = said.infos.iter().filter_map(|info| info.nodes).max().unwrap_or(0);
        assert!(searched <= nodes, "{searched} of {nodes}");
        let position = StartPosition::from_fen(MIDDLEGAME).unwrap();
        assert!(parse_engine_move(position.position(), &said.best).is_ok());
        let known = said.infos.iter().any(|info| info.depth > Some(0));
        assert_eq!(said.played().contains(&"unsearched"), !known);
    }
    for text in ["go depth 1 searchmoves h2h3 a2a3", "go movetime 1", "go wtime 10 btime 10"] {
        let said = Said::ask(&mut session, text);
        assert!(!text.contains("searchmoves") || ["h2h3", "a2a3"].contains(&said.best.as_str()));
    }
    session.end();
}

#[test]
fn a_book_is_played_at_its_frequencies_and_never_by_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my book.txt");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    std::fs::write(&path, format!("elometer-book 1\n{start} | a2a3 3 | h2h4 1\n")).unwrap();
    let mut session = Session::start("fallible");
    session.send("position startpos");
    set(&mut session, "BookFile", path.display());
    let mut counts = [0, 0];
    for seed in 0..400 {
        set(&mut session, "Seed", seed);
        let said = Said::ask(&mut session, "go depth 1");
        assert_eq!(said.after("by"), "book");
        let index = ["a2a3", "h2h4"].iter().position(|m| *m == said.best).unwrap();
        counts[index] += 1;
        assert_eq!((said.after("weight"), said.after("of")), (["3", "1"][index], "4"));
    }
    // 300 expected, standard deviation 8.7; four of them.
    assert!((265..=335).contains(&counts[0]), "{counts:?}");
    for (name, value, back) in
        [("Hint", "true", "false"), ("OwnBook", "false", "true"), ("MultiPV", "2", "1")]
    {
        set(&mut session, name, value);
        assert_ne!(Said::ask(&mut session, "go depth 1").after("by"), "book", "{name}");
        set(&mut session, name, back);
    }
    session.send("position startpos moves a2a3");
    assert_eq!(Said::ask(&mut session, "go depth 1").after("by"), "choice", "the book has ended");

    // A book that cannot be read is no silent lack of one.
    session.send("position startpos");
    std::fs::write(&path, format!("elometer-book 1\n{start} | e2e5 3\n")).unwrap();
    set(&mut session, "BookFile", path.display());
    let noted = session.ask("isready", "readyok");
    assert!(noted[0].starts_with("info string no book: ") && noted[0].contains(":2: "), "{noted:?}");
    let lines = session.ask("go depth 1", "bestmove");
    assert!(lines[0].starts_with("info string no book: "), "{lines:?}");
    session.send("setoption name BookFile value ");
    assert!(!session.ask("go depth 1", "bestmove")[0].contains("no book"));
    session.end();
}
