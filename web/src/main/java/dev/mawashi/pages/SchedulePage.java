package dev.mawashi.pages;

import dev.mawashi.cron.CronReader;

/// A schedule with its next times and its last runs.
public record SchedulePage(Shell shell, CronReader.View view) {}
