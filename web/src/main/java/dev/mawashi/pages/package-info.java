/// The contents of pages, and the templates in `src/main/jte` that make HTML of them: the only
/// package that sees the template library.
@NullMarked
package dev.mawashi.pages;

import org.jspecify.annotations.NullMarked;
