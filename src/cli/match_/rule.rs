//! The stop rule of a match as it is written on the command line: `--sprt ELO0,ELO1[,ALPHA,BETA]`.

use reversi_lab::arena::Sprt;

/// Default of both error rates.
const USUAL_RATE: f64 = 0.05;

/// Reads a stop rule.
pub fn sprt(text: &str) -> Result<Sprt, String> {
    const WANTED: &str =
        "write two differences in Elo points, as in 0,10, or with both error rates, as in 0,10,0.05,0.1";
    let numbers: Result<Vec<f64>, _> = text.split(',').map(|number| number.trim().parse()).collect();
    let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
        Ok(&[elo0, elo1]) => (elo0, elo1, USUAL_RATE, USUAL_RATE),
        Ok(&[elo0, elo1, alpha, beta]) => (elo0, elo1, alpha, beta),
        _ => return Err(WANTED.to_owned()),
    };
    Sprt::new(elo0, elo1, alpha, beta).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_read_with_or_without_its_rates() {
        assert_eq!(sprt("0,10"), Ok(Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap()));
        assert_eq!(sprt("-5, 2.5,0.01,0.1"), Ok(Sprt::new(-5.0, 2.5, 0.01, 0.1).unwrap()));
        for bad in ["", "5", "0,10,0.05", "a,b", "10,0", "0,10,0,0.05", "0,nan", "0,10,0.05,0.05,1"] {
            assert!(sprt(bad).is_err(), "{bad}");
        }
    }
}
