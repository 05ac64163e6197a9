//! Compressed text, told by its first bytes: gzip and zstd, of several members or frames each.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

const GZIP: [u8; 2] = [0x1f, 0x8b];
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
/// The first byte of a skippable zstd frame is `50` to `5f`; these follow.
const ZSTD_SKIPPABLE: [u8; 3] = [0x2a, 0x4d, 0x18];

/// How many bytes tell what a text is packed with.
const MAGIC_BYTES: u64 = 4;

/// The plain text of `reader`, which may be plain itself, gzip or zstd.
///
/// # Errors
/// What `reader` reports while its first bytes are read; later errors come with the text.
pub fn unpack<'a>(mut reader: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut magic = Vec::new();
    reader.by_ref().take(MAGIC_BYTES).read_to_end(&mut magic)?;
    let gzip = magic.starts_with(&GZIP);
    let zstd = magic.starts_with(&ZSTD) || is_skippable(&magic);
    let whole = Cursor::new(magic).chain(reader);
    Ok(if gzip {
        Box::new(MultiGzDecoder::new(whole))
    } else if zstd {
        Box::new(ZstdFrames { packed: whole, frame: FrameDecoder::new(), ended: false, open: false })
    } else {
        Box::new(whole)
    })
}

fn is_skippable(magic: &[u8]) -> bool {
    magic.first().is_some_and(|first| first & 0xf0 == 0x50) && magic.get(1..4) == Some(&ZSTD_SKIPPABLE)
}

/// The frames of a zstd file one after another, as tools that compress in parallel write them.
struct ZstdFrames<R> {
    packed: R,
    frame: FrameDecoder,
    /// No frame follows.
    ended: bool,
    /// The present frame has been begun.
    open: bool,
}

impl<R: Read> ZstdFrames<R> {
    /// Begins the next frame; false at the end of the file.
    fn next_frame(&mut self) -> io::Result<bool> {
        loop {
            let mut magic = Vec::new();
            self.packed.by_ref().take(MAGIC_BYTES).read_to_end(&mut magic)?;
            if magic.is_empty() {
                return Ok(false);
            }
            let mut frame = Cursor::new(magic).chain(&mut self.packed);
            match self.frame.init(&mut frame) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => {
                    let length = u64::from(length);
                    let skipped = io::copy(&mut self.packed.by_ref().take(length), &mut io::sink())?;
                    if skipped < length {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Err(error) => return Err(invalid(&error)),
            }
        }
    }
}

impl<R: Read> Read for ZstdFrames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while !self.ended && !buffer.is_empty() {
            if !self.open {
                self.open = self.next_frame()?;
                self.ended = !self.open;
                continue;
            }
            while self.frame.can_collect() < buffer.len() && !self.frame.is_finished() {
                let wanted = BlockDecodingStrategy::UptoBytes(buffer.len());
                self.frame.decode_blocks(&mut self.packed, wanted).map_err(|error| invalid(&error))?;
            }
            let read = self.frame.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            self.open = false;
        }
        Ok(0)
    }
}

fn invalid(error: &FrameDecoderError) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, format!("zstd: {error}"))
}
