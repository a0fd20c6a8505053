/// The parts of the process: the composition root, its signals and its log. Everything else gets
/// its collaborators, clock and random source from here.
@NullMarked
package dev.mawashi.server;

import org.jspecify.annotations.NullMarked;
