//! One self-contained page of HTML: headings, words, tables, plots, and the command behind each.

use crate::cli::Failure;
use crate::cli::chart::Chart;
use crate::cli::columns::{PLUS_MINUS, Sheet};
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");

/// A page under construction.
pub struct Page {
    title: String,
    contents: Vec<(String, String)>,
    body: String,
}

impl Page {
    pub fn new(title: &str) -> Page {
        Page { title: title.to_owned(), contents: Vec::new(), body: String::new() }
    }

    /// Begins a section.
    pub fn section(&mut self, title: &str) {
        let anchor = title.to_lowercase().replace(|letter: char| !letter.is_ascii_alphanumeric(), "-");
        let _ = write!(self.body, "\n<h2 id=\"{anchor}\">{}</h2>\n", escaped(title));
        self.contents.push((anchor, title.to_owned()));
    }

    pub fn words(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escaped(text));
    }

    /// The command that was run for what follows.
    pub fn command(&mut self, command: &str) {
        let _ = writeln!(self.body, "<pre class=\"command\"><code>{}</code></pre>", escaped(command));
    }

    /// A table of measured rows.
    pub fn sheet(&mut self, caption: &str, sheet: &Sheet) {
        let heads = sheet.heads();
        let cell = |cell: &String| cell.replace(PLUS_MINUS, " \u{b1} ");
        let rows: Vec<Vec<String>> = sheet.rows().iter().map(|row| row.iter().map(cell).collect()).collect();
        self.table(caption, &heads.iter().map(String::as_str).collect::<Vec<_>>(), &rows);
    }

    /// A table: the first column is text, the others are numbers.
    pub fn table(&mut self, caption: &str, head: &[&str], rows: &[Vec<String>]) {
        let _ = write!(
            self.body,
            "<div class=\"wide\"><table><caption>{}</caption><thead><tr>",
            escaped(caption)
        );
        for name in head {
            let _ = write!(self.body, "<th scope=\"col\">{}</th>", escaped(name));
        }
        self.body.push_str("</tr></thead><tbody>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for (place, cell) in row.iter().enumerate() {
                let (open, close) =
                    if place == 0 { ("<th scope=\"row\">", "</th>") } else { ("<td>", "</td>") };
                let _ = write!(self.body, "{open}{}{close}", escaped(cell));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</tbody></table></div>\n");
    }

    /// A plot, with a text for readers who cannot see it.
    ///
    /// # Errors
    /// A plot that cannot be drawn.
    pub fn plot(&mut self, chart: &Chart, says: &str) -> Result<(), Failure> {
        let _ = writeln!(
            self.body,
            "<figure role=\"img\" aria-label=\"{0}\">{1}<figcaption>{0}</figcaption></figure>",
            escaped(says),
            chart.svg()?
        );
        Ok(())
    }

    /// The whole page.
    pub fn html(&self) -> String {
        let title = escaped(&self.title);
        let items: String = self
            .contents
            .iter()
            .map(|(anchor, title)| format!("<li><a href=\"#{anchor}\">{}</a></li>", escaped(title)))
            .collect();
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<h1>{title}</h1>\n<nav><ol>{items}</ol></nav>\n{}\
             </main>\n</body>\n</html>\n",
            self.body
        )
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_on_the_page_is_taken_for_markup() {
        let mut page = Page::new("a < b");
        page.section("Is \"this\" & that?");
        page.command("reversi match \"<b>\"");
        page.table("caption", &["name", "n"], &[vec!["<i>".into(), "1".into()]]);
        let html = page.html();
        assert!(html.contains("<h2 id=\"is--this----that-\">Is &quot;this&quot; &amp; that?</h2>"), "{html}");
        assert!(!html.contains("<b>") && !html.contains("<i>"), "{html}");
        assert!(!html.contains("http"), "nothing is loaded from elsewhere");
    }
}
