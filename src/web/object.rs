//! Objects in requests. Serde would take the values of a list for those of the keys, in order.

use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, Deserializer, MapAccess, Visitor};
use std::fmt::{self, Formatter};
use std::marker::PhantomData;

/// Reads an object, and nothing else.
///
/// # Errors
/// Text that is no JSON, or no object, or not the expected one.
pub fn from_slice<T: DeserializeOwned>(text: &[u8]) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let object = object(&mut deserializer)?;
    deserializer.end()?;
    Ok(object)
}

/// Reads a field that is an object: for `#[serde(deserialize_with)]`.
///
/// # Errors
/// As [`from_slice`].
pub fn object<'de, T: DeserializeOwned, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    deserializer.deserialize_map(Fields(PhantomData))
}

struct Fields<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for Fields<T> {
    type Value = T;

    fn expecting(&self, formatter: &mut Formatter) -> fmt::Result {
        formatter.write_str("an object, {\"key\": value}")
    }

    fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(fields))
    }
}
