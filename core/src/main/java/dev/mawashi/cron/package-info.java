/// Schedules of jobs that come again and again. `CronLine` is a line of cron's and knows its times,
/// `CronSchedule` is such a line with the job that it enqueues, and `CronFiring` enqueues the jobs
/// of a server's schedules when they are due.
@NullMarked
package dev.mawashi.cron;

import org.jspecify.annotations.NullMarked;
