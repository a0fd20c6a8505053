/// Figures as they change: samples them, keeps the last hours in memory, and sends them to all
/// pages that are open. One reading serves all.
@NullMarked
package dev.mawashi.live;

import org.jspecify.annotations.NullMarked;
