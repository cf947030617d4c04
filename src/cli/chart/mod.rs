//! Plots: lines, bars and coloured matrices, as SVG for pages and as PNG.
//!
//! The labels of PNG files are set in the font that is part of the program (see `font-license.txt`); no font
//! of the system is needed.

mod draw;

use crate::cli::{Exit, Failure, places};
use plotters::prelude::*;
use std::path::Path;
use std::sync::Once;

/// Points joined by a line.
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
}

/// What a plot shows.
pub enum Content {
    /// Lines over numbers.
    Lines {
        series: Vec<Series>,
        /// Whether the vertical axis is logarithmic.
        logarithmic: bool,
        /// Both ends of the vertical axis, if they are not to follow from the points.
        range: Option<(f64, f64)>,
    },
    /// A bar for each name, perhaps with its 95 % interval. Groups share a colour.
    Bars { bars: Vec<Bar> },
    /// A coloured square with a number, 0 to 1, for each row and column; a dash for a missing value.
    Matrix { names: Vec<String>, values: Vec<Vec<Option<f64>>> },
}

/// One bar.
pub struct Bar {
    pub name: String,
    pub value: f64,
    /// Both ends of the 95 % interval.
    pub interval: Option<(f64, f64)>,
    /// Bars of a group have the same colour.
    pub group: usize,
}

/// A plot.
pub struct Chart {
    pub title: String,
    /// What the horizontal axis counts, or the columns of a matrix.
    pub across: String,
    /// What the vertical axis counts, or the rows of a matrix.
    pub up: String,
    pub content: Content,
}

/// Colours that colour-blind people can tell apart (Okabe and Ito, "Color universal design", 2008).
const PALETTE: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
];

const FONT: &str = "sans-serif";

fn register_font() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let registered = plotters::style::register_font(FONT, FontStyle::Normal, include_bytes!("font.ttf"));
        assert!(registered.is_ok(), "the font in the program is whole");
    });
}

impl Chart {
    /// Width and height in pixels.
    fn size(&self) -> (u32, u32) {
        match &self.content {
            Content::Lines { .. } => (760, 440),
            Content::Bars { bars } => (820, 90 + 26 * bars.len() as u32),
            Content::Matrix { names, .. } => (240 + 66 * names.len() as u32, 110 + 40 * names.len() as u32),
        }
    }

    /// The plot as the text of an SVG image.
    ///
    /// # Errors
    /// A plot that cannot be drawn, such as one without any point.
    pub fn svg(&self) -> Result<String, Failure> {
        register_font();
        let mut text = String::new();
        {
            let area = SVGBackend::with_string(&mut text, self.size()).into_drawing_area();
            draw::chart(self, &area).map_err(|error| failure(&error))?;
            area.present().map_err(|error| failure(&error))?;
        }
        Ok(text)
    }

    /// Writes `NAME.svg` and `NAME.png` into a directory.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn save(&self, directory: &Path, name: &str) -> Result<(), Failure> {
        places::write_text(&directory.join(format!("{name}.svg")), &self.svg()?)?;
        let path = directory.join(format!("{name}.png"));
        places::write(&path, &self.png()?).map_err(|error| Failure::cannot_write(path.display(), error))
    }

    /// The plot as the bytes of a PNG image.
    fn png(&self) -> Result<Vec<u8>, Failure> {
        register_font();
        let (width, height) = self.size();
        let mut pixels = vec![0; 3 * width as usize * height as usize];
        {
            let area = BitMapBackend::with_buffer(&mut pixels, (width, height)).into_drawing_area();
            draw::chart(self, &area).map_err(|error| failure(&error))?;
            area.present().map_err(|error| failure(&error))?;
        }
        encoded(width, height, &pixels).map_err(|error| failure(&error))
    }
}

/// Rows of pixels, three bytes each, as a PNG image. Plots are large and simple: the fast compression is small enough.
fn encoded(width: u32, height: u32, pixels: &[u8]) -> Result<Vec<u8>, png::EncodingError> {
    let mut image = Vec::new();
    let mut encoder = png::Encoder::new(&mut image, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
    encoder.write_header()?.write_image_data(pixels)?;
    Ok(image)
}

fn failure(error: &dyn std::fmt::Display) -> Failure {
    Failure::new(Exit::Failed, "cannot-draw", format!("a plot cannot be drawn: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn charts() -> Vec<Chart> {
        let chart =
            |content| Chart { title: "A title".into(), across: "across".into(), up: "up".into(), content };
        let series = |name: &str, factor: f64| Series {
            name: name.into(),
            points: (1..=5).map(|x| (f64::from(x), factor * f64::from(x * x))).collect(),
        };
        let lines = |logarithmic| Content::Lines {
            series: vec![series("one", 1.0), series("other", 7.0)],
            logarithmic,
            range: None,
        };
        let bar = |value, group| Bar {
            name: format!("bar {value}"),
            value,
            interval: Some((value - 1.0, value + 2.0)),
            group,
        };
        let names = vec!["first".into(), "second".into()];
        let values = vec![vec![Some(0.5), Some(0.25)], vec![None, Some(1.0)]];
        vec![
            chart(lines(false)),
            chart(lines(true)),
            chart(Content::Bars { bars: vec![bar(3.0, 0), bar(-40.0, 1)] }),
            chart(Content::Matrix { names, values }),
        ]
    }

    #[test]
    fn every_kind_is_drawn_as_svg_and_png() {
        let directory = tempfile::tempdir().unwrap();
        for (place, chart) in charts().iter().enumerate() {
            let svg = chart.svg().unwrap();
            assert!(svg.contains("<svg") && svg.contains("A title"), "{svg}");
            chart.save(directory.path(), &place.to_string()).unwrap();
            let png = std::fs::read(directory.path().join(format!("{place}.png"))).unwrap();
            let mut image = png::Decoder::new(&png[..]).read_info().unwrap();
            let (width, height) = chart.size();
            assert_eq!((image.info().width, image.info().height), (width, height));
            let mut pixels = vec![0; image.output_buffer_size()];
            image.next_frame(&mut pixels).unwrap();
            let dark = pixels.chunks(3).filter(|pixel| pixel.iter().all(|&part| part < 100)).count();
            assert!(pixels.len() == (3 * width * height) as usize && dark > 100, "{dark} dark pixels");
        }
    }

    #[test]
    fn nothing_to_show_is_no_panic() {
        let empty =
            |content| Chart { title: String::new(), across: String::new(), up: String::new(), content };
        for chart in [
            empty(Content::Lines { series: Vec::new(), logarithmic: true, range: None }),
            empty(Content::Bars { bars: Vec::new() }),
            empty(Content::Matrix { names: Vec::new(), values: Vec::new() }),
        ] {
            assert!(chart.svg().is_ok());
        }
    }
}
