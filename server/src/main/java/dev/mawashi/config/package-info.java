/// What `config/mawashi.yml` and the flags say of how jobs are run. Knows none of the runners
/// themselves.
@NullMarked
package dev.mawashi.config;

import org.jspecify.annotations.NullMarked;
