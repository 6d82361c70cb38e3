//! Results for people: lines, named figures and tables, as text or as part of an HTML page.

/// Width of names at the left, in characters.
const NAMES: usize = 21;
/// Width of a figure, in characters.
const FIGURES: usize = 20;

/// Lines and tables in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sheet(Vec<Part>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// Verbatim text, line ends included.
    Text(String),
    Table(Table),
}

/// Rows under headings; empty columns are omitted.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Table {
    /// A line above the table, if not empty.
    pub label: String,
    pub headings: Vec<String>,
    /// Rows, with one cell for each heading.
    pub rows: Vec<Vec<String>>,
    /// Lines below the table.
    pub notes: Vec<String>,
}

/// A column of a table: the heading and the text of a cell.
pub struct Column<'a, R> {
    heading: String,
    cell: Box<dyn Fn(&R) -> String + 'a>,
}

impl<'a, R> Column<'a, R> {
    /// Creates a column from a heading and the text of its cell in a row.
    pub fn new(heading: impl Into<String>, cell: impl Fn(&R) -> String + 'a) -> Self {
        Self { heading: heading.into(), cell: Box::new(cell) }
    }
}

impl Sheet {
    /// Adds a line.
    pub fn line(&mut self, line: &str) {
        self.0.push(Part::Text(format!("{}\n", line.trim_end())));
    }

    /// Adds a name and a value.
    pub fn entry(&mut self, name: &str, value: &str) {
        self.line(&format!("{name:<NAMES$}{value}"));
    }

    /// Adds a name with the figures of simulation and model, and their deviation.
    pub fn figures(&mut self, name: &str, simulation: &str, model: &str, deviation: &str) {
        self.line(&format!("{name:<NAMES$}{simulation:<FIGURES$}{model:<FIGURES$}{deviation}"));
    }

    /// Adds a table.
    pub fn table(&mut self, table: Table) {
        self.0.push(Part::Table(table));
    }

    /// Formats the sheet for a terminal.
    pub fn text(&self) -> String {
        let text = |part: &Part| match part {
            Part::Text(text) => text.clone(),
            Part::Table(table) => table.text(),
        };
        self.0.iter().map(text).collect()
    }

    /// Formats the sheet as HTML. Empty lines are omitted.
    pub fn html(&self) -> String {
        let html = |part: &Part| match part {
            Part::Text(text) => paragraph(text.trim_end()),
            Part::Table(table) => table.html(),
        };
        self.0.iter().map(html).collect()
    }
}

impl Table {
    /// A table with these headings.
    pub fn new(headings: &[&str], rows: Vec<Vec<String>>) -> Self {
        let headings = headings.iter().map(ToString::to_string).collect();
        Self { headings, rows, ..Self::default() }
    }

    /// A table with these columns, and a row for each of `rows`.
    pub fn of<R>(columns: &[Column<'_, R>], rows: &[R]) -> Self {
        let cells = |row: &R| columns.iter().map(|column| (column.cell)(row)).collect();
        Self {
            headings: columns.iter().map(|column| column.heading.clone()).collect(),
            rows: rows.iter().map(cells).collect(),
            ..Self::default()
        }
    }

    /// The indices of nonempty columns.
    fn shown(&self) -> Vec<usize> {
        let filled = |at: &usize| self.rows.iter().any(|row| !row[*at].is_empty());
        (0..self.headings.len()).filter(filled).collect()
    }

    /// Right-aligns all cells except the first of a row.
    fn text(&self) -> String {
        let all = || [&self.headings].into_iter().chain(&self.rows);
        let width = |at: usize| all().map(|row| row[at].chars().count()).max().unwrap_or_default();
        let shown: Vec<(usize, usize)> =
            self.shown().into_iter().map(|at| (at, width(at))).collect();
        let mut text = self.label.clone();
        text.extend((!self.label.is_empty()).then_some('\n'));
        for row in all() {
            let cell = |&(at, width): &(usize, usize)| match at {
                0 => format!("{:<width$}", row[at]),
                _ => format!("  {:>width$}", row[at]),
            };
            let line: String = shown.iter().map(cell).collect();
            text.extend([line.trim_end(), "\n"]);
        }
        text.extend(self.notes.iter().flat_map(|note| [note.as_str(), "\n"]));
        text
    }

    fn html(&self) -> String {
        let shown = self.shown();
        let line = |cells: &[String], tag: &str| {
            let cells = shown.iter().map(|&at| format!("<{tag}>{}</{tag}>", escaped(&cells[at])));
            format!("<tr>{}</tr>\n", cells.collect::<String>())
        };
        let label = match self.label.as_str() {
            "" => String::new(),
            label => format!("<h3>{}</h3>\n", escaped(label)),
        };
        let head = line(&self.headings, "th");
        let body: String = self.rows.iter().map(|row| line(row, "td")).collect();
        let notes: String = self.notes.iter().map(|note| paragraph(note)).collect();
        format!("{label}<table>\n<thead>{head}</thead>\n<tbody>\n{body}</tbody>\n</table>\n{notes}")
    }
}

fn paragraph(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("<p>{}</p>\n", escaped(text)) }
}

/// Escapes characters with a special meaning in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A figure with a fixed number of decimals, or a dash.
pub(crate) fn fixed(figure: Option<f64>, decimals: usize) -> String {
    figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.decimals$}"))
}

#[cfg(test)]
mod tests;
