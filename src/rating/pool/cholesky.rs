//! Dense symmetric positive definite systems: factor once, solve many times.
//!
//! Written here because this is all the linear algebra the crate needs.

/// The lower factor L of A = L L', row by row.
#[derive(Clone, Debug)]
pub(super) struct Cholesky {
    size: usize,
    factor: Vec<f64>,
}

/// A pivot below this share of its diagonal element means that the matrix is singular in all but
/// rounding.
const SMALLEST_PIVOT: f64 = 1e-12;

impl Cholesky {
    /// Factors `matrix` (row by row, `size` squared entries; only the lower half is read). `None`
    /// unless it is positive definite.
    pub fn new(size: usize, matrix: &[f64]) -> Option<Self> {
        let mut factor = matrix.to_vec();
        for i in 0..size {
            let (above, rest) = factor.split_at_mut(i * size);
            let row = rest.get_mut(..size)?;
            for j in 0..i {
                let other = above.get(j * size..(j + 1) * size)?;
                let sum = dot(&row[..j], &other[..j]);
                row[j] = (row[j] - sum) / other[j];
            }
            let diagonal = row[i];
            let pivot = diagonal - dot(&row[..i], &row[..i]);
            if pivot.is_nan() || pivot <= SMALLEST_PIVOT * diagonal {
                return None;
            }
            row[i] = pivot.sqrt();
        }
        Some(Self { size, factor })
    }

    fn row(&self, i: usize) -> &[f64] {
        &self.factor[i * self.size..(i + 1) * self.size]
    }

    /// Replaces `vector` by the solution x of A x = vector.
    pub fn solve(&self, vector: &mut [f64]) {
        for i in 0..self.size {
            let row = self.row(i);
            vector[i] = (vector[i] - dot(&row[..i], &vector[..i])) / row[i];
        }
        for i in (0..self.size).rev() {
            let row = self.row(i);
            vector[i] /= row[i];
            let value = vector[i];
            for (entry, share) in vector[..i].iter_mut().zip(&row[..i]) {
                *entry -= value * share;
            }
        }
    }

    /// The inverse of A, row by row.
    pub fn inverse(&self) -> Vec<f64> {
        let mut inverse = vec![0.0; self.size * self.size];
        for (i, row) in inverse.chunks_exact_mut(self.size.max(1)).enumerate() {
            row[i] = 1.0;
            self.solve(row);
        }
        inverse
    }
}

/// Four sums side by side, so that the additions need not wait for each other.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (a4, b4) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = a4.remainder().iter().zip(b4.remainder()).map(|(x, y)| x * y).sum();
    let mut sums = [0.0; 4];
    for (x, y) in a4.zip(b4) {
        for (sum, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
            *sum += x * y;
        }
    }
    rest + sums.iter().sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hilbert_matrix_has_its_known_inverse() {
        let size = 5;
        let hilbert: Vec<f64> =
            (0..25).map(|place| 1.0 / ((place / size + place % size + 1) as f64)).collect();
        let inverse = Cholesky::new(size, &hilbert).unwrap().inverse();
        // The inverse of a Hilbert matrix is whole; these are entries (1, 1), (1, 2) and (5, 5).
        for (place, expected) in [(0, 25.0), (1, -300.0), (24, 44100.0)] {
            assert!((inverse[place] - expected).abs() < 1e-6 * expected.abs(), "{}", inverse[place]);
        }
    }

    #[test]
    fn a_singular_matrix_is_refused() {
        assert!(Cholesky::new(2, &[1.0, 1.0, 1.0, 1.0]).is_none());
        assert!(Cholesky::new(2, &[1.0, 2.0, 2.0, 1.0]).is_none());
        assert!(Cholesky::new(1, &[f64::NAN]).is_none());
    }
}
