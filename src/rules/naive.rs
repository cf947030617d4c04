//! The rules once more, slowly and obviously.
