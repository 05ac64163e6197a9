//! The best rising fit: one number against another where only the order is believed.

/// The nondecreasing sequence nearest to `values` by weighted squares: the values are in the order of
/// whatever they should rise with. Weights are positive; missing ones count as one. Empty in, empty
/// out.
///
/// ```
/// assert_eq!(elometer::rating::isotonic(&[1.0, 3.0, 2.0, 4.0], &[]), [1.0, 2.5, 2.5, 4.0]);
/// ```
///
/// # Source
/// Pool adjacent violators: Ayer, Brunk, Ewing, Reid and Silverman 1955.
#[must_use]
pub fn isotonic(values: &[f64], weights: &[f64]) -> Vec<f64> {
    struct Block {
        mean: f64,
        weight: f64,
        length: usize,
    }
    let mut blocks: Vec<Block> = Vec::new();
    for (at, &value) in values.iter().enumerate() {
        let mut block = Block { mean: value, weight: weights.get(at).copied().unwrap_or(1.0), length: 1 };
        while let Some(last) = blocks.pop_if(|last| last.mean >= block.mean) {
            let weight = last.weight + block.weight;
            block.mean = (last.mean * last.weight + block.mean * block.weight) / weight;
            block.weight = weight;
            block.length += last.length;
        }
        blocks.push(block);
    }
    blocks.iter().flat_map(|block| std::iter::repeat_n(block.mean, block.length)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_is_that_of_r() {
        // R 4.2.2: isoreg(c(1, 0, 4, 3, 3, 5, 4, 2, 0))$yf.
        let fit = isotonic(&[1.0, 0.0, 4.0, 3.0, 3.0, 5.0, 4.0, 2.0, 0.0], &[]);
        let expected = [0.5, 0.5, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0, 3.0];
        assert!(fit.iter().zip(expected).all(|(one, other)| (one - other).abs() < 1e-12), "{fit:?}");
        assert_eq!(isotonic(&[], &[]), Vec::<f64>::new());
    }

    #[test]
    fn weights_pull_the_blocks() {
        assert_eq!(isotonic(&[2.0, 0.0], &[1.0, 3.0]), [0.5, 0.5]);
    }
}
