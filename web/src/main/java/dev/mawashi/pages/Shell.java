package dev.mawashi.pages;

import java.time.Instant;

/// What each page has around it.
///
/// @param redis where the jobs are, without a password
/// @param version of Mawashi
public record Shell(Section section, Instant now, String redis, String version) {}
