//! Plots of curves: axes, legend, error bars; equal figures produce equal bytes.
//!
//! Simulated points have filled marks and error bars, model curves are dashed lines without marks,
//! points from papers have hollow marks: colour is never the only distinction.

mod draw;
mod figure;
mod marks;

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};

pub use figure::{Curve, Dot, DotRow, Origin, Plot};

/// Pixels of a PNG per pixel of the SVG.
const PIXELS: u32 = 2;
/// The embedded font: PNGs are equal on every machine, independent of installed fonts.
const FONT: &[u8] = include_bytes!("../../assets/DejaVuSans-subset.ttf");
const FONT_NAME: &str = "DejaVu Sans";

/// The picture could not be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a figure could not be drawn: {0}")]
pub struct PlotError(String);

/// Draws `plot`. Without points, only the axes are drawn.
pub fn svg(plot: &Plot) -> Result<String, PlotError> {
    let mut picture = String::new();
    draw::draw(plot, &mut picture).map_err(|error| PlotError(error.to_string()))?;
    Ok(picture)
}

/// Renders the result of [`svg`] as PNG, with two pixels for each original pixel.
pub fn png(svg: &str) -> Result<Vec<u8>, PlotError> {
    pixels(svg, FONT_NAME, &[FONT])
}

/// Renders a document as PNG, with two pixels for each original pixel, using only these fonts;
/// `family` is the name of the first.
pub fn pixels(svg: &str, family: &str, letters: &[&[u8]]) -> Result<Vec<u8>, PlotError> {
    let mut fonts = fontdb::Database::new();
    for font in letters {
        fonts.load_font_data(font.to_vec());
    }
    fonts.set_sans_serif_family(family);
    fonts.set_monospace_family(family);
    let options =
        Options { font_family: family.to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).map_err(|error| PlotError(error.to_string()))?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width() * PIXELS, size.height() * PIXELS);
    let mut pixels =
        Pixmap::new(width, height).ok_or_else(|| PlotError("it has no size".to_owned()))?;
    let larger = Transform::from_scale(PIXELS as f32, PIXELS as f32);
    resvg::render(&tree, larger, &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| PlotError(error.to_string()))
}

#[cfg(test)]
mod tests;
