/// Alarms of one process: what is ill in it, in its queues and in its Redis, before users notice.
/// `Alarm` is the catalogue, `AlarmWatch` measures now and then, judges by `JvmRules`,
/// `ChildRules`, `WorkRules` and `RedisRules`, and reports each beginning and end.
@NullMarked
package dev.mawashi.alarm;

import org.jspecify.annotations.NullMarked;
