/// What a server and its Redis do at the limits: very many queues, entries and equal payloads, and
/// payloads of the largest size. `.ci/limits` measures it.
@org.jspecify.annotations.NullMarked
package dev.mawashi.limits;
