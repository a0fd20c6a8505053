/// Payload bytes and what can be read from and changed in them without parsing them whole. Nothing
/// here turns a number into a double or re-encodes what it was not asked to change. Key names of
/// Sidekiq and of ours stand here, once. See docs/formats/sidekiq.md.
@NullMarked
package dev.mawashi.wire;

import org.jspecify.annotations.NullMarked;
