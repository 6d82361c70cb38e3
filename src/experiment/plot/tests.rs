//! Tests of plots: reproducible bytes, cut off at the upper limit.

use super::draw::cut_off;
use super::*;

fn plot(y_max: Option<f64>) -> Plot {
    let dots = |factor: f64| {
        let dot = |x: u32| {
            let x = f64::from(x);
            Dot { x, y: factor * x * x, half_width: Some(0.5) }
        };
        (0..5).map(dot).collect::<Vec<Dot>>()
    };
    let curve = |origin, group, factor| Curve {
        label: format!("curve {group} <&>"),
        origin,
        group,
        mark: group,
        dots: dots(factor),
        bracket: None,
    };
    Plot {
        title: "A title & more".into(),
        x: "load".into(),
        y: "latency, cycles".into(),
        y_max,
        curves: vec![
            curve(Origin::Simulation, 0, 1.0),
            curve(Origin::Model, 0, 1.1),
            curve(Origin::Paper, 2, 1.2),
        ],
        notes: vec!["2 points & more".into()],
    }
}

#[test]
fn a_picture_is_the_same_each_time_and_names_what_it_shows() {
    let picture = svg(&plot(None)).unwrap();
    assert_eq!(picture, svg(&plot(None)).unwrap());
    assert!(picture.starts_with("<svg") && picture.trim_end().ends_with("</svg>"));
    for text in [
        "A title &amp; more",
        "2 points &amp; more",
        "load",
        "latency, cycles",
        "curve 0 &lt;&amp;&gt;, model",
    ] {
        assert!(picture.contains(text), "{text} in {picture}");
    }
    // Five filled discs and their legend; triangles are outlines.
    assert_eq!(picture.matches("<circle").count(), 6);
    assert_eq!(picture.matches("<polygon").count(), 0);
}

#[test]
fn what_lies_above_the_limit_is_cut_off() {
    let dots = &plot(None).curves[0].dots.clone();
    assert_eq!(cut_off(dots, 100.0).len(), 5);
    // 4 at 2, 9 at 3: the limit 6.5 is crossed half way.
    assert_eq!(cut_off(dots, 6.5), [(0.0, 0.0), (1.0, 1.0), (2.0, 4.0), (2.5, 6.5)]);
    let picture = svg(&plot(Some(6.5))).unwrap();
    assert_eq!(picture.matches("<circle").count(), 4);
}

#[test]
fn saturation_is_a_band_under_a_hollow_mark_and_differences_have_a_line_at_0() {
    let mut plot = plot(None);
    let before = svg(&plot).unwrap();
    plot.curves[0].bracket = Some((3.5, 4.5));
    let banded = svg(&plot).unwrap();
    assert_eq!(banded.matches("<rect").count(), before.matches("<rect").count() + 1);
    assert!(
        banded.contains("shaded: saturates here") && !before.contains("shaded: saturates here")
    );
    // The axis includes the whole band.
    assert!((draw::bounds(&plot).0.1 - 4.77).abs() < 1e-9);
    for dot in &mut plot.curves[0].dots {
        dot.y -= 8.0;
    }
    assert!(draw::bounds(&plot).1.0 < -8.0);
}

#[test]
fn models_of_the_same_colour_differ_in_their_dashes() {
    let line = |group| {
        let whole = plot(None);
        let curves = vec![Curve { group, label: String::new(), ..whole.curves[1].clone() }];
        svg(&Plot { curves, ..whole }).unwrap()
    };
    assert_ne!(line(0), line(7));
    assert_eq!(line(0), line(28));
}

#[test]
fn a_picture_has_the_same_pixels_each_time_and_letters_of_its_own() {
    let picture = svg(&plot(None)).unwrap();
    let pixels = png(&picture).unwrap();
    assert_eq!(pixels, png(&picture).unwrap());
    assert_eq!(pixels[..8], *b"\x89PNG\r\n\x1a\n");
    let size = |at: usize| u32::from_be_bytes(pixels[at..at + 4].try_into().unwrap());
    assert_eq!((size(16), size(20)), (2000, 1120));
    // Labels are drawn: without letters the picture differs.
    let mute = picture.replace("A title", "       ").replace("latency, cycles", "");
    assert_ne!(pixels, png(&mute).unwrap());
}

#[test]
fn nothing_to_draw_still_gives_axes() {
    let empty = Plot { curves: Vec::new(), ..plot(None) };
    assert!(svg(&empty).unwrap().contains("latency, cycles"));
}
