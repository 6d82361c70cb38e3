//! Curves as pictures: axes, legend, error bars; the same bytes for the same figures.
//!
//! What is simulated has a filled mark and error bars, what a model says is a dashed line without marks,
//! what was printed elsewhere has a hollow mark: colour alone never tells.

mod draw;
mod figure;
mod marks;

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

pub use figure::{Curve, Dot, DotRow, Origin, Plot};

/// Pixels of a PNG for one of the SVG.
const PIXELS: u32 = 2;
/// The letters of a PNG: it looks the same on every machine, whatever fonts are there.
const FONT: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");
const FONT_NAME: &str = "DejaVu Sans";

/// The picture could not be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a figure could not be drawn: {0}")]
pub struct Undrawn(String);

/// Draws `plot`. Without a single point the axes stand alone.
pub fn svg(plot: &Plot) -> Result<String, Undrawn> {
    let mut picture = String::new();
    draw::draw(plot, &mut picture).map_err(|error| Undrawn(error.to_string()))?;
    Ok(picture)
}

/// A picture of [`svg`] in pixels, two for each of its own.
pub fn png(svg: &str) -> Result<Vec<u8>, Undrawn> {
    pixels(svg, FONT_NAME, &[FONT])
}

/// A document in pixels, two for each of its own, with letters of these fonts alone; `family` is the
/// name of the first.
pub fn pixels(svg: &str, family: &str, letters: &[&[u8]]) -> Result<Vec<u8>, Undrawn> {
    let mut fonts = fontdb::Database::new();
    for font in letters {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family(family);
    fonts.set_monospace_family(family);
    let options =
        Options { font_family: family.to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| Undrawn(error.to_string()))?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width() * PIXELS, size.height() * PIXELS);
    let mut pixels =
        Pixmap::new(width, height).ok_or_else(|| Undrawn("it has no size".to_owned()))?;
    let larger = Transform::from_scale(PIXELS as f32, PIXELS as f32);
    resvg::render(&tree, larger, &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| Undrawn(error.to_string()))
}

#[cfg(test)]
mod tests;
