/// Starting and stopping of long-lived things. Imports nothing of ours.
@NullMarked
package dev.mawashi.lifecycle;

import org.jspecify.annotations.NullMarked;
