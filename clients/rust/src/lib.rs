//! A small client of the Tarneeb rules service.
//!
//! One [`Client`] for the whole program; clones share its connections. The messages are in [`v1`], generated from
//! `proto/tarneeb/v1` when this crate is built.

pub mod choosing;
mod client;
mod errors;
pub mod fair_deals;
mod options;
mod raw;
mod replicas;

pub use client::Client;
pub use errors::{TarneebError, Violation};
pub use options::{Options, Tls};
/// The library that decodes messages: its trait `Message` has `decode` and `encode_to_vec`.
pub use prost;
pub use tonic::Code;

/// The messages and enums of the contract.
pub mod v1 {
    #![allow(clippy::all, clippy::pedantic)]
    tonic::include_proto!("tarneeb.v1");
}
