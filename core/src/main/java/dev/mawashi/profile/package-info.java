/// Profiles of running jobs: samples of their stacks, added up.
@NullMarked
package dev.mawashi.profile;

import org.jspecify.annotations.NullMarked;
