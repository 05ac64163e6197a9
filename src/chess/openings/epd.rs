//! One line of an EPD file or FEN list.
//!
//! EPD is four fields and operations (`hmvc 0; id "Najdorf";`), FEN is six fields. Files in use mix
//! the two, so both are read from the same line: counters, if there, then operations, if there.

use crate::chess::position::StartPosition;

/// What a line says.
pub(super) struct EpdLine {
    pub(super) start: StartPosition,
    pub(super) eco: Option<String>,
    pub(super) name: Option<String>,
}

/// Whether a line begins as a position does: eight ranks.
pub(super) fn begins_with_board(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|board| board.matches('/').count() == 7)
}

/// Reads a line.
///
/// # Errors
/// What is wrong with it, in words.
pub(super) fn parse_line(line: &str) -> Result<EpdLine, String> {
    let (position, rest) = split_fields(line, 4);
    if position.len() < 4 {
        return Err(format!("{} fields, expected at least 4", position.len()));
    }
    let (mut halfmoves, mut fullmoves, mut operations) = (None, None, rest);
    for counter in [&mut halfmoves, &mut fullmoves] {
        let (next, rest) = split_fields(operations, 1);
        let Some(word) = next.first().filter(|word| is_counter(word)) else { break };
        *counter = Some(word.trim_end_matches(';').to_owned());
        operations = rest;
        if word.ends_with(';') {
            break;
        }
    }
    let mut line = Operations::default();
    for operation in split_operations(operations)? {
        line.take(&operation)?;
    }
    let halfmoves = line.halfmoves.or(halfmoves).unwrap_or_else(|| "0".to_owned());
    let fullmoves = line.fullmoves.or(fullmoves).unwrap_or_else(|| "1".to_owned());
    let fen = format!("{} {halfmoves} {fullmoves}", position.join(" "));
    let start = StartPosition::from_opening_fen(fen.replace(';', "").trim())
        .map_err(|error| error.reason.trim_start_matches("illegal position: ").to_owned())?;
    Ok(EpdLine { start, eco: line.eco, name: line.id.or(line.comment) })
}

/// The first `count` words, and the text after them. A semicolon stuck to the last ends the fields.
fn split_fields(text: &str, count: usize) -> (Vec<&str>, &str) {
    let mut words = Vec::with_capacity(count);
    let mut rest = text.trim_start();
    while words.len() < count && !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        words.push(word);
        rest = after.trim_start();
    }
    (words, rest)
}

fn is_counter(word: &str) -> bool {
    let digits = word.trim_end_matches(';');
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[derive(Default)]
struct Operations {
    halfmoves: Option<String>,
    fullmoves: Option<String>,
    eco: Option<String>,
    id: Option<String>,
    comment: Option<String>,
}

impl Operations {
    fn take(&mut self, operation: &str) -> Result<(), String> {
        let (opcode, operand) = operation.split_once(char::is_whitespace).unwrap_or((operation, ""));
        let value = operand.trim().trim_matches('"').trim();
        if value.is_empty() {
            return Ok(());
        }
        let value = value.to_owned();
        match opcode {
            "hmvc" | "fmvn" if !is_counter(&value) => {
                return Err(format!("`{opcode} {value}`, expected a number"));
            }
            "hmvc" => self.halfmoves = Some(value),
            "fmvn" => self.fullmoves = Some(value),
            "eco" | "ECO" => self.eco = Some(value),
            "id" => self.id = Some(value),
            "c0" => self.comment = Some(value),
            _ => {}
        }
        Ok(())
    }
}

/// The operations of a line: each ends with a semicolon, the last may do without, and a semicolon
/// inside quotes is text.
fn split_operations(text: &str) -> Result<Vec<String>, String> {
    let mut operations = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        match (c, operations.last_mut()) {
            (';', _) if !quoted => operations.push(String::new()),
            (_, Some(last)) => {
                quoted ^= c == '"';
                last.push(c);
            }
            _ => {}
        }
    }
    if quoted {
        return Err("a quotation mark is not closed".to_owned());
    }
    Ok(operations.into_iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect())
}
