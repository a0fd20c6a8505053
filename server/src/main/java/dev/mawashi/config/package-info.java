/// The settings of jobs in `config/mawashi.yml` and in flags. Knows none of the runners themselves.
@NullMarked
package dev.mawashi.config;

import org.jspecify.annotations.NullMarked;
