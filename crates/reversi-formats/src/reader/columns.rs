//! The line above a drawing that names its columns.

/// What the line above the rows says of the columns.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// Nothing.
    Unnamed,
    /// `a b c d`, or numbers from 0 or 1 up.
    Forwards,
    /// `h g f e d c b a`: the board as White sees it.
    Backwards,
}

impl Columns {
    /// Of a line above the rows.
    pub fn named_by(line: &str) -> Columns {
        let backwards: String = line.chars().rev().collect();
        match are_letters(line) || are_numbers(line) {
            true => Columns::Forwards,
            false if are_letters(&backwards) => Columns::Backwards,
            false => Columns::Unnamed,
        }
    }
}

/// `a b c d`, `ABCDEFGH`.
fn are_letters(line: &str) -> bool {
    let letters: Vec<char> = line.chars().filter(|c| !c.is_whitespace() && *c != '|').collect();
    letters.len() >= 3
        && letters
            .iter()
            .enumerate()
            .all(|(index, c)| c.to_ascii_lowercase() as u32 == 'a' as u32 + index as u32)
}

/// `0 1 2 3`, `1 2 3 4`: the numbers of columns.
pub fn are_numbers(line: &str) -> bool {
    let numbers: Option<Vec<u32>> = line.split_whitespace().map(|word| word.parse().ok()).collect();
    numbers.is_some_and(|numbers| {
        numbers.len() >= 4 && numbers[0] <= 1 && numbers.windows(2).all(|pair| pair[1] == pair[0] + 1)
    })
}
