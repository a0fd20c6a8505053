/// The examination of an app's code: job classes, thread-unsafe code and syntax, read by Prism, and
/// the gems of `Gemfile.lock`, with a runner and a reason for each. Nothing of the app is run, but
/// for a trial of its start in a JRuby.
@NullMarked
package dev.mawashi.doctor;

import org.jspecify.annotations.NullMarked;
