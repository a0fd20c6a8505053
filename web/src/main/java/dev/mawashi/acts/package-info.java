/// Changes by operators over HTTP: one set of routes for the forms of pages and for programs, over
/// the acts of `operate`. Takes a POST's fields, hands back what was done.
@NullMarked
package dev.mawashi.acts;

import org.jspecify.annotations.NullMarked;
