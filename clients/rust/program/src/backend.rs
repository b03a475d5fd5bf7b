//! What all games share, and where the lines go.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use tarneeb::Client;

use crate::store::Store;
use crate::text;
use crate::words::Words;

pub struct Backend {
    pub client: Client,
    pub store: Store,
    pub words: Words,
    pub transcript: Lines,
    pub views: Lines,
    /// Whether every check came out well.
    pub sound: bool,
}

impl Backend {
    pub fn tell(&mut self, line: &str) -> Result<()> {
        self.transcript.write(line)
    }

    pub fn checked(&mut self, good: bool) -> &'static str {
        self.sound &= good;
        text::check(good)
    }
}

/// Lines, hashed as they are written.
pub struct Lines {
    out: Box<dyn Write>,
    hash: Sha256,
}

impl Lines {
    pub fn to(out: impl Write + 'static) -> Self {
        Self { out: Box::new(out), hash: Sha256::new() }
    }

    /// To a file, or where there is none to something else.
    pub fn to_file(path: Option<&Path>, otherwise: impl Write + 'static) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self::to(otherwise));
        };
        let file = File::create(path).with_context(|| path.display().to_string())?;
        Ok(Self::to(BufWriter::new(file)))
    }

    pub fn write(&mut self, line: &str) -> Result<()> {
        self.hash.update(line);
        self.hash.update("\n");
        Ok(writeln!(self.out, "{line}")?)
    }

    /// The first 16 hex digits of what was written.
    pub fn digest(&self) -> String {
        text::hex(&self.hash.clone().finalize())[..16].to_owned()
    }

    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
