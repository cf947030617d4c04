//! Makes tables: which positions there are, and what each of them is worth.

pub mod enumerate;
