/// Ruby processes that run jobs: starts the parent that loads the app, has it fork children, feeds
/// them frames of jobs and reads frames of outcomes. Knows neither the broker nor Redis.
@NullMarked
package dev.mawashi.children;

import org.jspecify.annotations.NullMarked;
