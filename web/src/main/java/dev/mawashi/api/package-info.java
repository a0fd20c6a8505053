/// Answers programs: what the pages show as JSON, its description in OpenAPI, and the figures in
/// the form in which Sidekiq's page gives them. Changes are made by `acts`, under the same
/// addresses.
@NullMarked
package dev.mawashi.api;

import org.jspecify.annotations.NullMarked;
