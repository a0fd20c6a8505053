/// Real faults on real processes: each scenario of the catalogue does one thing to a running rig (a
/// Redis, servers, a producer), and a checker tells from ledgers outside that Redis what came of
/// the jobs. `.ci/faults` runs any of them, `FaultsIT` the quick ones.
@org.jspecify.annotations.NullMarked
package dev.mawashi.faults;
