/// What the process is made of: the composition root, its signals and its log. Everything else gets
/// its collaborators, its clock and its chance from here.
@NullMarked
package dev.mawashi.server;

import org.jspecify.annotations.NullMarked;
