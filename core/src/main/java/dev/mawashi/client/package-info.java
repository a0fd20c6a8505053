/// Accepts jobs: checks them, stamps them in Sidekiq's payload form and hands them to the broker.
@NullMarked
package dev.mawashi.client;

import org.jspecify.annotations.NullMarked;
