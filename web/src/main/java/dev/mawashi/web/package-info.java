/// The page, its API, metrics and probes, beside a fleet or inside a server.
@NullMarked
package dev.mawashi.web;

import org.jspecify.annotations.NullMarked;
