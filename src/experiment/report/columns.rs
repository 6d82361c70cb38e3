//! Rows of text in columns.

/// Rows below their headings, right-aligned but for the first cell; empty columns are left out.
pub(crate) fn in_columns(headings: &[&str], mut rows: Vec<Vec<String>>) -> String {
    let filled = |&at: &usize| rows.iter().any(|row| !row[at].is_empty());
    let shown: Vec<usize> = (0..headings.len()).filter(filled).collect();
    rows.insert(0, headings.iter().map(ToString::to_string).collect());
    let width = |at: usize| rows.iter().map(|row| row[at].chars().count()).max();
    let widths: Vec<usize> = shown.iter().map(|&at| width(at).unwrap_or_default()).collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (&at, &width) in shown.iter().zip(&widths) {
            let cell = &row[at];
            line.extend([match at {
                0 => format!("{cell:<width$}"),
                _ => format!("  {cell:>width$}"),
            }]);
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}
