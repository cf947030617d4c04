//! Draws each kind of plot on any backend.

use super::{Bar, Chart, Content, FONT, PALETTE, Series};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<DB> = DrawingArea<DB, Shift>;
type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

const TITLE: (&str, i32) = (FONT, 17);
const LABEL: (&str, i32) = (FONT, 13);
const GRID: RGBColor = RGBColor(226, 226, 226);
const LINE_COLOR: RGBColor = RGBColor(40, 40, 40);

pub fn chart<DB: DrawingBackend>(chart: &Chart, area: &Area<DB>) -> Drawn<DB> {
    area.fill(&WHITE)?;
    match &chart.content {
        Content::Lines { series, logarithmic, range } => {
            let series: Vec<&Series> = series.iter().filter(|series| !series.points.is_empty()).collect();
            lines(chart, area, &series, *logarithmic, *range)
        }
        Content::Bars { bars } => self::bars(chart, area, bars),
        Content::Matrix { names, values } => matrix(chart, area, names, values),
    }
}

/// The smallest and the largest number; 0 and 1 if there are none.
fn ends(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        numbers.fold((f64::MAX, f64::MIN), |(low, high), number| (low.min(number), high.max(number)));
    if low > high { (0.0, 1.0) } else { (low, high) }
}

fn lines<DB: DrawingBackend>(
    chart: &Chart,
    area: &Area<DB>,
    series: &[&Series],
    logarithmic: bool,
    range: Option<(f64, f64)>,
) -> Drawn<DB> {
    let points = || series.iter().flat_map(|series| &series.points);
    let (left, right) = ends(points().map(|point| point.0));
    let (low, high) = range.unwrap_or_else(|| ends(points().map(|point| point.1)));
    let mut builder = ChartBuilder::on(area);
    builder.caption(&chart.title, TITLE.into_font().color(&LINE_COLOR)).margin(12);
    builder.x_label_area_size(42).y_label_area_size(64);
    let across = left..right.max(left + 1.0);
    if logarithmic {
        let range = (low.max(1e-9)..high.max(low.max(1e-9) * 10.0)).log_scale();
        let mut context = builder.build_cartesian_2d(across, range)?;
        let mut mesh = context.configure_mesh();
        mesh.y_label_formatter(&|number| short(*number));
        plot_lines!(context, mesh, chart, series);
    } else {
        let room = if range.is_some() { 0.0 } else { 0.05 * (high - low).max(1e-9) };
        let bottom = if low >= 0.0 { 0.0 } else { low - room };
        let mut context = builder.build_cartesian_2d(across, bottom..high + room)?;
        let mut mesh = context.configure_mesh();
        plot_lines!(context, mesh, chart, series);
    }
    Ok(())
}

/// The same statements for both kinds of axes, whose types differ.
macro_rules! plot_lines {
    ($context:ident, $mesh:ident, $chart:ident, $series:ident) => {
        $mesh.x_desc(&$chart.across).y_desc(&$chart.up).label_style(LABEL.into_font().color(&LINE_COLOR));
        $mesh
            .axis_desc_style(LABEL.into_font().color(&LINE_COLOR))
            .bold_line_style(GRID)
            .light_line_style(WHITE);
        $mesh.x_labels(label_count($series)).x_label_formatter(&|number| short(*number)).draw()?;
        for (place, series) in $series.iter().enumerate() {
            let color = PALETTE[place % PALETTE.len()];
            let drawn = $context
                .draw_series(LineSeries::new(series.points.iter().copied(), color.stroke_width(2)))?;
            drawn
                .label(&series.name)
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(3)));
            if series.points.len() <= MOST_POINTS_WITH_MARKS {
                let dots = series.points.iter().map(|&point| Circle::new(point, 3, color.filled()));
                $context.draw_series(dots)?;
            }
        }
        if !$series.is_empty() {
            let mut labels = $context.configure_series_labels();
            labels
                .background_style(WHITE.mix(0.85))
                .border_style(GRID)
                .label_font(LABEL.into_font().color(&LINE_COLOR));
            labels.position(legend_place($chart)).draw()?;
        }
    };
}
use plot_lines;

/// Lines of at most this many points show a mark at each.
const MOST_POINTS_WITH_MARKS: usize = 40;

/// Where the legend covers least of the lines: growing values are low on the left, shares are mostly high.
fn legend_place(chart: &Chart) -> SeriesLabelPosition {
    match chart.content {
        Content::Lines { range: Some(_), .. } => SeriesLabelPosition::LowerRight,
        _ => SeriesLabelPosition::UpperLeft,
    }
}

/// Number of labels on the horizontal axis, which counts whole things.
fn label_count(series: &[&Series]) -> usize {
    let (left, right) = ends(series.iter().flat_map(|series| &series.points).map(|point| point.0));
    ((right - left) as usize + 1).min(11)
}

/// A number with as few digits as needed.
fn short(number: f64) -> String {
    match number.abs() {
        0.0 => "0".to_owned(),
        1e9.. => format!("{:.0}G", number / 1e9),
        1e6.. => format!("{:.0}M", number / 1e6),
        1e4.. => format!("{:.0}k", number / 1e3),
        _ if number.fract().abs() < 1e-9 => format!("{number:.0}"),
        0.0..0.1 => format!("{number:.3}"),
        _ => format!("{number:.1}"),
    }
}

/// Horizontal bars, the first on top, with their names on the left and their numbers on the right.
fn bars<DB: DrawingBackend>(chart: &Chart, area: &Area<DB>, bars: &[Bar]) -> Drawn<DB> {
    let (width, height) = area.dim_in_pixel();
    let (width, height) = (width as i32, height as i32);
    area.draw(&Text::new(chart.title.as_str(), (width / 2, 14), centered(TITLE)))?;
    let all = bars.iter().flat_map(|bar| {
        let (low, high) = bar.interval.unwrap_or((bar.value, bar.value));
        [0.0, bar.value, low, high].map(|number| if number.is_finite() { number } else { bar.value })
    });
    let (low, high) = ends(all);
    let longest = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or_default();
    let (from, to) = (30 + 8 * longest as i32, width - 80);
    let place = |number: f64| {
        let share = (number.clamp(low, high) - low) / (high - low).max(1e-9);
        from + (f64::from(to - from) * share) as i32
    };
    for (number, bar) in (0..).zip(bars) {
        let y = 50 + 26 * number;
        let color = PALETTE[bar.group % PALETTE.len()];
        let (start, end) = (place(0.0).min(place(bar.value)), place(0.0).max(place(bar.value)));
        area.draw(&Text::new(bar.name.as_str(), (from - 12, y), placed(LABEL, HPos::Right)))?;
        area.draw(&Rectangle::new([(start, y - 8), (end, y + 8)], color.mix(0.75).filled()))?;
        if let Some((left, right)) = bar.interval {
            area.draw(&PathElement::new([(place(left), y), (place(right), y)], LINE_COLOR.stroke_width(2)))?;
        }
        let most = bar.interval.map_or(bar.value, |interval| interval.1.max(bar.value));
        let text = short_value(bar.value);
        area.draw(&Text::new(text, (place(most).max(place(0.0)) + 8, y), placed(LABEL, HPos::Left)))?;
    }
    area.draw(&PathElement::new([(place(0.0), 36), (place(0.0), height - 34)], LINE_COLOR.stroke_width(1)))?;
    area.draw(&Text::new(chart.across.as_str(), ((from + to) / 2, height - 18), centered(LABEL)))
}

fn short_value(number: f64) -> String {
    if number.abs() >= 100.0 { format!("{number:.0}") } else { format!("{number:.2}") }
}

fn matrix<DB: DrawingBackend>(
    chart: &Chart,
    area: &Area<DB>,
    names: &[String],
    values: &[Vec<Option<f64>>],
) -> Drawn<DB> {
    const CELL: (i32, i32) = (66, 40);
    const CORNER: (i32, i32) = (220, 80);
    let width = area.dim_in_pixel().0 as i32;
    area.draw(&Text::new(chart.title.as_str(), (width / 2, 16), centered(TITLE)))?;
    area.draw(&Text::new(
        format!("{} (columns)", chart.across),
        (width - 20, 40),
        placed(LABEL, HPos::Right),
    ))?;
    area.draw(&Text::new(format!("{} (rows)", chart.up), (12, 62), placed(LABEL, HPos::Left)))?;
    for (row, name) in (0..).zip(names) {
        let (x, y) = (CORNER.0 + CELL.0 * row + CELL.0 / 2, CORNER.1 + CELL.1 * row + CELL.1 / 2);
        let numbered = format!("{name}  {}", row + 1);
        area.draw(&Text::new(numbered, (CORNER.0 - 8, y), placed(LABEL, HPos::Right)))?;
        area.draw(&Text::new((row + 1).to_string(), (x, CORNER.1 - 10), centered(LABEL)))?;
    }
    for (row, line) in (0..).zip(values) {
        for (column, value) in (0..).zip(line) {
            let (x, y) = (CORNER.0 + CELL.0 * column, CORNER.1 + CELL.1 * row);
            let color = value.map_or(WHITE, shade);
            area.draw(&Rectangle::new([(x + 1, y + 1), (x + CELL.0 - 1, y + CELL.1 - 1)], color.filled()))?;
            let text = value.map_or("-".to_owned(), |value| format!("{value:.2}"));
            area.draw(&Text::new(text, (x + CELL.0 / 2, y + CELL.1 / 2), centered(LABEL)))?;
        }
    }
    Ok(())
}

/// From orange at 0 over white to blue at 1.
fn shade(value: f64) -> RGBColor {
    let towards = |end: RGBColor, share: f64| {
        let mix = |from: u8, to: u8| (f64::from(from) + share * (f64::from(to) - f64::from(from))) as u8;
        RGBColor(mix(255, end.0), mix(255, end.1), mix(255, end.2))
    };
    if value < 0.5 {
        towards(RGBColor(230, 140, 60), 1.0 - 2.0 * value)
    } else {
        towards(RGBColor(90, 160, 215), 2.0 * value - 1.0)
    }
}

fn centered(font: (&'static str, i32)) -> TextStyle<'static> {
    placed(font, HPos::Center)
}

fn placed(font: (&'static str, i32), side: HPos) -> TextStyle<'static> {
    TextStyle::from(font.into_font()).color(&LINE_COLOR).pos(Pos::new(side, VPos::Center))
}
