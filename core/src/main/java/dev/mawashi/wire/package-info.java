/// Payload bytes and what can be read from and changed in them without parsing them whole. Nothing
/// here re-encodes what it was not asked to change, and only `TimeStyle` turns a number into a
/// double. Key names of Sidekiq, of Resque and of ours stand here, once. See
/// docs/formats/sidekiq.md.
@NullMarked
package dev.mawashi.wire;

import org.jspecify.annotations.NullMarked;
