//! Generates the messages and stubs of `proto/tarneeb/v1` into Cargo's own folder for build output.

use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let protos = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../proto");
    println!("cargo:rerun-if-changed={}", protos.join("tarneeb").display());
    // A compiler of protos in Rust, so that none need be installed.
    let descriptors = protox::compile(["tarneeb/v1/tarneeb_service.proto"], [&protos])?;
    tonic_prost_build::configure().build_server(false).compile_fds(descriptors)?;
    Ok(())
}
