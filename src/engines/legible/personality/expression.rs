//! Gains as expressions: numbers with three decimals, names, `+ - *`, comparisons, `min` and `max`.
//!
//! Whole thousandths throughout, products rounded to the nearest one: no floating point, so no
//! build and no machine can differ. An expression is compiled to a list of steps on a stack of
//! fixed size; evaluating it allocates nothing.

/// A number in thousandths.
pub(in crate::engines::legible) type Thousandths = i64;

/// One.
pub(in crate::engines::legible) const ONE: Thousandths = 1000;
/// No number is larger, here or in between: a million.
const MOST: Thousandths = 1_000_000 * ONE;
/// How many modulators a personality may have.
pub(in crate::engines::legible) const MAX_MODULATORS: usize = 4;
/// The longest expression, in bytes.
const MAX_LENGTH: usize = 200;
/// How many values may wait at once, and how deep parentheses may stand.
const MAX_WAITING: usize = 16;

/// What an expression may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Name {
    /// A parameter, by its number.
    Parameter(usize),
    /// A modulator, by its number.
    Modulator(usize),
    Ply,
    MoveNumber,
    Phase,
    Side,
}

/// The names that stand for the position.
pub(super) const POSITION_NAMES: [(&str, Name); 4] =
    [("ply", Name::Ply), ("move_number", Name::MoveNumber), ("phase", Name::Phase), ("side", Name::Side)];
/// The names of functions.
pub(super) const FUNCTIONS: [&str; 2] = ["min", "max"];

/// The values of the names, but for the parameters.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::engines::legible) struct Circumstances {
    pub(in crate::engines::legible) ply: Thousandths,
    pub(in crate::engines::legible) move_number: Thousandths,
    pub(in crate::engines::legible) phase: Thousandths,
    pub(in crate::engines::legible) side: Thousandths,
    pub(in crate::engines::legible) modulators: [Thousandths; MAX_MODULATORS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Number(Thousandths),
    Name(Name),
    Negate,
    Combine(Operation),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Minimum,
    Maximum,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Operation {
    fn of(self, left: Thousandths, right: Thousandths) -> Thousandths {
        let truth = |holds: bool| if holds { ONE } else { 0 };
        let result = match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => nearest_thousandth(left * right),
            Self::Minimum => left.min(right),
            Self::Maximum => left.max(right),
            Self::Less => truth(left < right),
            Self::AtMost => truth(left <= right),
            Self::Greater => truth(left > right),
            Self::AtLeast => truth(left >= right),
        };
        result.clamp(-MOST, MOST)
    }
}

/// A thousandth of a number, to the nearest whole one, halves away from zero.
pub(in crate::engines::legible) fn nearest_thousandth(number: i64) -> i64 {
    let half = if number < 0 { -ONE / 2 } else { ONE / 2 };
    (number + half) / ONE
}

/// A decimal number without sign, of at most three decimals and at most a million.
pub(super) fn thousandths(digits: &str) -> Option<Thousandths> {
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(decimals) || decimals.len() > 3 || whole.len() > 7 {
        return None;
    }
    let number = whole.parse::<i64>().ok()? * ONE + format!("{decimals:0<3}").parse::<i64>().ok()?;
    (number <= MOST).then_some(number)
}

/// Where an expression is wrong and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ExpressionError {
    /// From 1, in bytes.
    pub(super) column: usize,
    pub(super) message: String,
}

/// A compiled expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::engines::legible) struct Expression(Vec<Step>);

impl Expression {
    /// Compiles a text; `known` gives the meaning of a name.
    ///
    /// # Errors
    /// [`ExpressionError`] names the column and what was expected there.
    pub(super) fn compile(text: &str, known: &dyn Fn(&str) -> Option<Name>) -> Result<Self, ExpressionError> {
        if text.len() > MAX_LENGTH {
            let message = format!("an expression of {} bytes; {MAX_LENGTH} are the most", text.len());
            return Err(ExpressionError { column: 1, message });
        }
        let mut compiler = Compiler { text, at: 0, known, steps: Vec::new(), nested: 0 };
        compiler.comparison()?;
        compiler.skip_blanks();
        if compiler.at < text.len() {
            return Err(compiler.error("expected an operator or the end"));
        }
        let expression = Self(compiler.steps);
        if expression.most_waiting() > MAX_WAITING {
            return Err(ExpressionError {
                column: 1,
                message: "too many parts wait for their operator".into(),
            });
        }
        Ok(expression)
    }

    /// With the values of the parameters put in, and everything computed that then is known.
    pub(in crate::engines::legible) fn with_parameters(&self, values: &[Thousandths]) -> Self {
        let mut steps: Vec<Step> = Vec::with_capacity(self.0.len());
        for step in &self.0 {
            let step = match *step {
                Step::Name(Name::Parameter(index)) => {
                    Step::Number(values.get(index).copied().unwrap_or_default())
                }
                other => other,
            };
            match (step, steps.as_slice()) {
                (Step::Negate, [.., Step::Number(number)]) => {
                    let number = *number;
                    steps.pop();
                    steps.push(Step::Number(-number));
                }
                (Step::Combine(operation), [.., Step::Number(left), Step::Number(right)]) => {
                    let result = operation.of(*left, *right);
                    steps.truncate(steps.len() - 2);
                    steps.push(Step::Number(result));
                }
                _ => steps.push(step),
            }
        }
        Self(steps)
    }

    /// Its value if it names nothing.
    pub(in crate::engines::legible) fn constant(&self) -> Option<Thousandths> {
        match self.0.as_slice() {
            [Step::Number(number)] => Some(*number),
            _ => None,
        }
    }

    /// Whether it names the side.
    pub(in crate::engines::legible) fn names_side(&self) -> bool {
        self.0.contains(&Step::Name(Name::Side))
    }

    /// Whether it names a modulator.
    pub(in crate::engines::legible) fn names_modulator(&self) -> bool {
        self.0.iter().any(|step| matches!(step, Step::Name(Name::Modulator(_))))
    }

    /// Its value. Parameters must have been put in; one that was not counts as zero.
    pub(in crate::engines::legible) fn value(&self, given: &Circumstances) -> Thousandths {
        let mut waiting = [0; MAX_WAITING];
        let mut count = 0_usize;
        for step in &self.0 {
            let number = match *step {
                Step::Number(number) => number,
                Step::Name(name) => match name {
                    Name::Parameter(_) => 0,
                    Name::Modulator(index) => given.modulators.get(index).copied().unwrap_or_default(),
                    Name::Ply => given.ply,
                    Name::MoveNumber => given.move_number,
                    Name::Phase => given.phase,
                    Name::Side => given.side,
                },
                Step::Negate => {
                    count = count.saturating_sub(1);
                    -waiting.get(count).copied().unwrap_or_default()
                }
                Step::Combine(operation) => {
                    count = count.saturating_sub(2);
                    let [left, right] =
                        [count, count + 1].map(|at| waiting.get(at).copied().unwrap_or_default());
                    operation.of(left, right)
                }
            };
            if let Some(place) = waiting.get_mut(count) {
                *place = number;
            }
            count += 1;
        }
        waiting.first().copied().unwrap_or_default()
    }

    fn most_waiting(&self) -> usize {
        let (mut now, mut most) = (0_usize, 0);
        for step in &self.0 {
            match step {
                Step::Number(_) | Step::Name(_) => now += 1,
                Step::Negate => {}
                Step::Combine(_) => now = now.saturating_sub(1),
            }
            most = most.max(now);
        }
        most
    }
}

struct Compiler<'a> {
    text: &'a str,
    at: usize,
    known: &'a dyn Fn(&str) -> Option<Name>,
    steps: Vec<Step>,
    nested: usize,
}

impl Compiler<'_> {
    fn error(&self, message: impl Into<String>) -> ExpressionError {
        let found =
            self.rest().chars().next().map_or("the end".to_owned(), |c| format!("`{}`", c.escape_debug()));
        ExpressionError { column: self.at + 1, message: format!("{}, found {found}", message.into()) }
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    /// Goes past one of these, if it is next.
    fn take(&mut self, marks: &[&str]) -> Option<usize> {
        self.skip_blanks();
        let index = marks.iter().position(|mark| self.rest().starts_with(mark))?;
        self.at += marks.get(index).map_or(0, |mark| mark.len());
        Some(index)
    }

    fn expect(&mut self, mark: &str) -> Result<(), ExpressionError> {
        self.take(&[mark]).map(|_| ()).ok_or_else(|| self.error(format!("expected `{mark}`")))
    }

    fn comparison(&mut self) -> Result<(), ExpressionError> {
        const MARKS: [(&str, Operation); 4] = [
            ("<=", Operation::AtMost),
            (">=", Operation::AtLeast),
            ("<", Operation::Less),
            (">", Operation::Greater),
        ];
        self.sum()?;
        if let Some(operation) = self.operation(&MARKS) {
            self.sum()?;
            self.steps.push(Step::Combine(operation));
        }
        Ok(())
    }

    fn operation<const N: usize>(&mut self, marks: &[(&str, Operation); N]) -> Option<Operation> {
        let index = self.take(&marks.map(|(mark, _)| mark))?;
        marks.get(index).map(|(_, operation)| *operation)
    }

    fn sum(&mut self) -> Result<(), ExpressionError> {
        self.product()?;
        while let Some(operation) = self.operation(&[("+", Operation::Add), ("-", Operation::Subtract)]) {
            self.product()?;
            self.steps.push(Step::Combine(operation));
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), ExpressionError> {
        self.factor()?;
        while self.take(&["*"]).is_some() {
            self.factor()?;
            self.steps.push(Step::Combine(Operation::Multiply));
        }
        Ok(())
    }

    fn factor(&mut self) -> Result<(), ExpressionError> {
        self.nested += 1;
        if self.nested > MAX_WAITING {
            return Err(self.error(format!("more than {MAX_WAITING} parts inside each other")));
        }
        if self.take(&["-"]).is_some() {
            self.factor()?;
            self.steps.push(Step::Negate);
        } else if self.take(&["("]).is_some() {
            self.comparison()?;
            self.expect(")")?;
        } else {
            self.word()?;
        }
        self.nested -= 1;
        Ok(())
    }

    fn word(&mut self) -> Result<(), ExpressionError> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
        let rest = self.rest();
        let word =
            rest.get(..rest.find(|c| !is_part(c)).unwrap_or(rest.len())).unwrap_or_default().to_owned();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let number = thousandths(&word).ok_or_else(|| {
                self.error("expected a number with at most three decimals, at most a million")
            })?;
            self.steps.push(Step::Number(number));
            self.at += word.len();
            return Ok(());
        }
        let operation = match word.as_str() {
            "" => return Err(self.error("expected a number, a name or `(`")),
            "min" => Operation::Minimum,
            "max" => Operation::Maximum,
            name => {
                let known = (self.known)(name).ok_or_else(|| ExpressionError {
                    column: self.at + 1,
                    message: format!("`{name}` is no name here"),
                })?;
                self.steps.push(Step::Name(known));
                self.at += word.len();
                return Ok(());
            }
        };
        self.at += word.len();
        self.expect("(")?;
        self.comparison()?;
        self.expect(",")?;
        self.comparison()?;
        self.expect(")")?;
        self.steps.push(Step::Combine(operation));
        Ok(())
    }
}
