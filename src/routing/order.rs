//! The order in which dimension order finishes the dimensions.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::fields::Parameter;
use crate::topology::cube::DIMENSIONS_MAX;
use crate::words::{Kind, Need, Structure};

/// The order of all dimensions of a network.
#[derive(Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "Vec<u8>", into = "Vec<u8>")]
pub struct Order {
    /// The dimensions from first to last; meaningless beyond `count`.
    dimensions: [u8; DIMENSIONS_MAX],
    /// 0 for ascending dimensions.
    count: u8,
}

impl Order {
    /// From the first dimension to the last.
    pub const ASCENDING: Self = Self { dimensions: [0; DIMENSIONS_MAX], count: 0 };

    /// The order of these dimensions, each of which appears once.
    pub fn new(dimensions: &[u8]) -> Self {
        let mut order = Self::ASCENDING;
        if !dimensions.is_sorted() {
            order.dimensions[..dimensions.len()].copy_from_slice(dimensions);
            order.count = dimensions.len() as u8;
        }
        order
    }

    /// True for the order from the first dimension to the last.
    pub fn is_ascending(&self) -> bool {
        self.count == 0
    }

    /// The dimensions from first to last; none if they ascend.
    pub(super) fn dimensions(&self) -> &[u8] {
        &self.dimensions[..usize::from(self.count)]
    }
}

impl fmt::Debug for Order {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.dimensions().fmt(out)
    }
}

impl From<Vec<u8>> for Order {
    fn from(dimensions: Vec<u8>) -> Self {
        Self::new(&dimensions)
    }
}

impl From<Order> for Vec<u8> {
    fn from(order: Order) -> Self {
        order.dimensions().to_vec()
    }
}

impl Parameter for Order {
    const HELP: &'static str = "The dimensions from first to last, as in `[1, 0]` for y before x; \
                                ascending by default.";
    const DEFAULT: &'static str = "";
    const NEED: Need = Need::Open;
    const KIND: Kind = Kind::Own(
        "a list of whole numbers",
        Structure::List(
            &Kind::whole("a dimension", 0, DIMENSIONS_MAX as u32 - 1),
            (1, DIMENSIONS_MAX),
        ),
    );
}
