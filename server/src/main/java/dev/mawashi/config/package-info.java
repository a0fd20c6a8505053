/// What `config/mawashi.yml` and the flags say of how jobs are run. Knows nothing of what runs
/// them.
@NullMarked
package dev.mawashi.config;

import org.jspecify.annotations.NullMarked;
