//! The text of a scenario, study or session: RON as written, or a translation of JSON with the
//! place of every part.

use std::borrow::Cow;

use super::origin::Origin;
use super::{Problem, json, syntax};
use crate::words::Kind;

/// Text in RON, with its origin in JSON.
#[derive(Debug)]
pub(crate) struct Document<'t> {
    ron: Cow<'t, str>,
    origin: Option<Origin<'t>>,
    /// The text of `$comment` in JSON.
    pub comment: Option<String>,
}

impl<'t> Document<'t> {
    /// Translates JSON text of the given kind and keeps RON. Returns all mistakes of JSON at once.
    pub fn read(name: &str, text: &'t str, kind: &Kind) -> Result<Self, Vec<Problem>> {
        let body = text.strip_prefix('\u{feff}').unwrap_or(text);
        if !json::is_json(body) {
            return Ok(Self { ron: Cow::Borrowed(body), origin: None, comment: None });
        }
        let json::Translation { ron, origin, comment } = json::translated(name, body, kind)?;
        Ok(Self { ron: Cow::Owned(ron), origin: Some(origin), comment })
    }

    pub fn ron(&self) -> &str {
        &self.ron
    }

    /// The JSON text, if the RON is a translation.
    pub fn origin(&self) -> Option<&Origin<'t>> {
        self.origin.as_ref()
    }

    /// The value without leading comments and `#![enable(…)]` attributes.
    pub fn into_value(self) -> String {
        let start = syntax::value(&self.ron).map_or(0, |value| self.ron.len() - value.len());
        self.ron[start..].to_owned()
    }
}
