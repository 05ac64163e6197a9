//! Perft against published counts, every key checked, and the command around it.

use assert_cmd::Command;
use elometer::chess::StartPosition;
use elometer::engines::board::KeyedPosition;
use elometer::engines::perft::perft;

/// Counts at depth 1, 2, 3 and 4 from <https://www.chessprogramming.org/Perft_Results>.
fn assert_counts(fen: &str, expected: [u64; 4]) {
    let start = StartPosition::from_fen(fen).unwrap();
    let position = KeyedPosition::new(start.position().clone());
    for (depth, expected) in (1..).zip(expected) {
        assert_eq!(perft(&position, depth, true), Ok(expected), "depth {depth} of {fen}");
        assert_eq!(perft(&position, depth, false), Ok(expected), "depth {depth} of {fen}, keys unchecked");
    }
}

#[test]
fn the_initial_position_has_the_published_counts() {
    assert_counts("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", [20, 400, 8_902, 197_281]);
}

#[test]
fn position_2_has_the_published_counts() {
    assert_counts(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        [48, 2_039, 97_862, 4_085_603],
    );
}

#[test]
fn position_3_has_the_published_counts() {
    assert_counts("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", [14, 191, 2_812, 43_238]);
}

#[test]
fn position_4_and_its_mirror_image_have_the_published_counts() {
    let expected = [6, 264, 9_467, 422_333];
    assert_counts("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", expected);
    assert_counts("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", expected);
}

#[test]
fn position_5_has_the_published_counts() {
    assert_counts(
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        [44, 1_486, 62_379, 2_103_487],
    );
}

#[test]
fn position_6_has_the_published_counts() {
    assert_counts(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        [46, 2_079, 89_890, 3_894_594],
    );
}

fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("elometer").unwrap().arg("perft").args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn the_command_prints_the_count_on_stdout_and_the_speed_on_stderr() {
    let (code, stdout, stderr) = run(&["startpos", "3", "--verify"]);
    assert_eq!((code, stdout.as_str()), (0, "leaves 8902\n"));
    assert!(stderr.contains("nodes per second") && stderr.contains("every key verified"), "{stderr}");
}

#[test]
fn the_command_divides_the_count_by_move() {
    let (code, stdout, _) = run(&["--divide", "startpos", "2"]);
    assert_eq!(code, 0);
    let lines: Vec<_> = stdout.lines().collect();
    assert_eq!(lines.len(), 21);
    assert!(lines[..20].iter().all(|line| line.ends_with(" 20")), "{stdout}");
    assert_eq!(lines[20], "leaves 400");
}

#[test]
fn a_fen_may_be_one_argument_or_several() {
    let fen = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
    let words: Vec<_> = fen.split(' ').chain(["3"]).collect();
    assert_eq!(run(&[fen, "3"]).1, "leaves 2812\n");
    assert_eq!(run(&words).1, "leaves 2812\n");
}

#[test]
fn a_bad_position_is_bad_input_and_a_bad_depth_is_bad_usage() {
    let (code, _, stderr) = run(&["8/8/8/8/8/8/8/8 w - - 0 1", "3"]);
    assert_eq!(code, 3);
    assert!(stderr.contains("8/8/8/8/8/8/8/8") && stderr.contains("\nhint: "), "{stderr}");
    for depth in ["13", "999", "deep"] {
        let (code, _, stderr) = run(&["startpos", depth]);
        assert_eq!(code, 2, "{depth}");
        assert!(stderr.contains(depth) && stderr.contains("\nhint: "), "{stderr}");
    }
}
