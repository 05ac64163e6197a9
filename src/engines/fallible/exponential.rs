//! The exponential function in whole numbers, so that a weight is the same on every machine.
//!
//! The library's `exp` leaves its last bits to the platform. Here every step is a multiplication
//! or division of integers that rounds down.

/// One, in the fixed-point numbers of this module.
pub(super) const ONE: u64 = 1 << 62;

/// `exp(-1)` times 2^62, rounded down.
///
/// # Source
/// e^-1 = 0.367879441171442321595523770161460867..., OEIS A068985.
const INVERSE_OF_E: u64 = 1_696_544_475_317_221_318;

/// `a * b` of two numbers up to [`ONE`].
pub(super) fn times(a: u64, b: u64) -> u64 {
    ((u128::from(a) * u128::from(b)) >> 62) as u64
}

/// `exp(-numerator / denominator)` as a multiple of 1/[`ONE`], too small by less than 2^-50 of
/// itself and 40 units together. A denominator of 0 counts as 1.
///
/// The whole part of the exponent by multiplications with `exp(-1)`, the rest by the power series
/// of `exp(x)` and one division.
pub(super) fn exp_of_minus(numerator: u32, denominator: u32) -> u64 {
    let denominator = denominator.max(1);
    let mut value = ONE;
    for _ in 0..numerator / denominator {
        value = times(value, INVERSE_OF_E);
        if value == 0 {
            return 0;
        }
    }
    let (rest, denominator) = (u128::from(numerator % denominator), u128::from(denominator));
    let (mut series, mut term) = (u128::from(ONE), u128::from(ONE));
    // x < 1: the 21st term is below 2^-65.
    for n in 1..=21 {
        term = term * rest / (denominator * n);
        series += term;
    }
    ((u128::from(value) << 62) / series) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn as_float(value: u64) -> f64 {
        value as f64 / ONE as f64
    }

    #[test]
    fn it_is_the_exponential_function() {
        // Python: from decimal import Decimal, getcontext; getcontext().prec = 40;
        // (-Decimal(d) / t).exp()
        for (numerator, denominator, expected) in [
            (0, 130, 1.0),
            (1, 130, 0.992_337_202_391_148_6),
            (35, 130, 0.763_966_935_242_340_2),
            (130, 130, 0.367_879_441_171_442_33),
            (300, 130, 0.099_490_580_494_858_44),
            (1300, 130, 4.539_992_976_248_485_4e-5),
            (1, 10_000, 0.999_900_004_999_833_3),
            (9_999, 10_000, 0.367_916_230_955_017_96),
        ] {
            let found = as_float(exp_of_minus(numerator, denominator));
            assert!((found / expected - 1.0).abs() < 1e-14, "{numerator}/{denominator}: {found}");
        }
    }

    #[test]
    fn it_never_grows_with_the_exponent_and_ends_at_zero() {
        for denominator in [1, 7, 130, 1000] {
            let mut last = ONE;
            for numerator in 1..50 * denominator {
                let value = exp_of_minus(numerator, denominator);
                assert!(value <= last, "{numerator}/{denominator}");
                last = value;
            }
            assert_eq!(last, 0, "exp(-50) is less than 2^-62");
        }
        assert_eq!(exp_of_minus(u32::MAX, 1), 0);
        assert_eq!(exp_of_minus(5, 0), exp_of_minus(5, 1));
    }
}
