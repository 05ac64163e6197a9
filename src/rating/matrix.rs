//! Small symmetric matrices: the information of two or three parameters and its inverse.

/// A symmetric matrix, written out in full.
pub(super) type Matrix<const N: usize> = [[f64; N]; N];

/// The inverse of a positive definite matrix; `None` when it is not, or nearly not.
pub(super) fn invert<const N: usize>(matrix: &Matrix<N>) -> Option<Matrix<N>> {
    let mut work = *matrix;
    let mut inverse = [[0.0; N]; N];
    for (index, row) in inverse.iter_mut().enumerate() {
        row[index] = 1.0;
    }
    // Gauss-Jordan without pivoting, which positive definite matrices do not need.
    for column in 0..N {
        let pivot = work[column][column];
        if pivot.is_nan() || pivot <= 1e-13 * matrix[column][column] {
            return None;
        }
        for entry in 0..N {
            work[column][entry] /= pivot;
            inverse[column][entry] /= pivot;
        }
        for row in (0..N).filter(|row| *row != column) {
            let factor = work[row][column];
            for entry in 0..N {
                work[row][entry] -= factor * work[column][entry];
                inverse[row][entry] -= factor * inverse[column][entry];
            }
        }
    }
    inverse.iter().flatten().all(|entry| entry.is_finite()).then_some(inverse)
}

/// `matrix` times `vector`.
pub(super) fn apply<const N: usize>(matrix: &Matrix<N>, vector: &[f64; N]) -> [f64; N] {
    matrix.map(|row| row.iter().zip(vector).map(|(entry, value)| entry * value).sum())
}

/// bread x meat x bread.
pub(super) fn sandwich<const N: usize>(bread: &Matrix<N>, meat: &Matrix<N>) -> Matrix<N> {
    // The columns of meat x bread are meat applied to the rows of the symmetric bread.
    let columns = bread.map(|row| apply(meat, &row));
    columns.map(|column| apply(bread, &column))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_matrix_and_a_singular_one_has_none() {
        let matrix = [[4.0, 2.0, 0.6], [2.0, 5.0, 1.0], [0.6, 1.0, 3.0]];
        let inverse = invert(&matrix).unwrap();
        let back = apply(&inverse, &apply(&matrix, &[1.0, -2.0, 3.0]));
        for (found, expected) in back.iter().zip([1.0, -2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-14);
        }
        assert_eq!(invert(&[[1.0, 2.0], [2.0, 4.0]]), None);
        assert_eq!(invert(&[[0.0]]), None);
    }

    #[test]
    fn a_sandwich_of_the_inverse_around_the_matrix_is_the_inverse() {
        let matrix = [[4.0, 2.0], [2.0, 5.0]];
        let inverse = invert(&matrix).unwrap();
        for (found, expected) in sandwich(&inverse, &matrix).iter().flatten().zip(inverse.iter().flatten()) {
            assert!((found - expected).abs() < 1e-15);
        }
    }
}
