//! Tests of lines and tables in both formats.

use super::*;

fn sheet() -> Sheet {
    let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
    let table = Table::new(
        &["load", "empty", "latency"],
        vec![row(["0.1", "", "20.5"]), row(["0.25", "", "<1"])],
    );
    let mut sheet = Sheet::default();
    sheet.line("a line & more  ");
    sheet.entry("rate", "0.01");
    sheet.line("");
    sheet.table(Table { label: "a curve".into(), notes: vec!["a note".into()], ..table });
    sheet
}

#[test]
fn columns_are_aligned_and_empty_ones_are_left_out() {
    let expected = "\
a line & more
rate                 0.01

a curve
load  latency
0.1      20.5
0.25       <1
a note
";
    assert_eq!(sheet().text(), expected);
}

#[test]
fn a_page_has_the_same_rows_and_nothing_that_html_would_take_for_its_own() {
    let expected = "\
<p>a line &amp; more</p>
<p>rate                 0.01</p>
<h3>a curve</h3>
<table>
<thead><tr><th>load</th><th>latency</th></tr>
</thead>
<tbody>
<tr><td>0.1</td><td>20.5</td></tr>
<tr><td>0.25</td><td>&lt;1</td></tr>
</tbody>
</table>
<p>a note</p>
";
    assert_eq!(sheet().html(), expected);
}
