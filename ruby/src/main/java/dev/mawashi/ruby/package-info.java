/// Runs jobs in one embedded JRuby: boots the app, finds its job classes, turns payload bytes into
/// Ruby objects and what Ruby raises into outcomes. Sees `org.jruby`, as only `lines` does besides;
/// reads `execute`, `job`, `wire` and `client`, and hands on a `Runner`.
@NullMarked
package dev.mawashi.ruby;

import org.jspecify.annotations.NullMarked;
