/// Figures in the form that Prometheus reads: the only package that sees its library.
@NullMarked
package dev.mawashi.scrape;

import org.jspecify.annotations.NullMarked;
