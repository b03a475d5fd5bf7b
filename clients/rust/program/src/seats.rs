//! Who sits at the table and who looks on: each has the last view that was sent to it, and nothing else.

use std::array;

use anyhow::Result;
use sha2::{Digest, Sha256};
use tarneeb::v1::{GameView, Viewer};

use crate::{text, views};

/// All who get views, in order of number, which is that of the seats and begins with 1.
pub const VIEWERS: [Viewer; 5] =
    [Viewer::North, Viewer::West, Viewer::South, Viewer::East, Viewer::Spectator];

#[derive(Default)]
pub struct Seats {
    views: [GameView; 5],
    sent: [Sha256; 5],
}

impl Seats {
    /// Every view is told to the log too, as a line.
    pub fn send(&mut self, views: Vec<GameView>, mut log: impl FnMut(&str) -> Result<()>) -> Result<()> {
        for view in views {
            let line = views::view(&view);
            log(&line)?;
            let place = place(view.viewer);
            self.sent[place].update(line);
            self.sent[place].update("\n");
            self.views[place] = view;
        }
        Ok(())
    }

    /// The view of a viewer or a seat by its number.
    pub fn view_of(&self, viewer: i32) -> &GameView {
        &self.views[place(viewer)]
    }

    /// What everybody may know.
    pub fn public(&self) -> &GameView {
        self.view_of(Viewer::Spectator as i32)
    }

    /// A line of all that was sent since the last one.
    pub fn digests(&mut self) -> String {
        let told = array::from_fn::<_, 5, _>(|place| {
            let hash = text::hex(&self.sent[place].finalize_reset());
            format!(" {} {}", text::seat(VIEWERS[place] as i32), &hash[..16])
        });
        format!("views{}", told.concat())
    }
}

fn place(viewer: i32) -> usize {
    usize::try_from(viewer - 1).expect("the service names each viewer")
}
