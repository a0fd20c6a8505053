package dev.mawashi.alarm;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A program that keeps what it makes until the heap is nearly full, and prints the alarms that
/// then stand.
final class HeapFiller {
    private HeapFiller() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] args) {
        AlarmRig rig = new AlarmRig();
        rig.jvm = JvmReading::take;
        rig.look();
        System.out.println("before: " + rig.standing());
        List<byte[]> kept = new ArrayList<>();
        long most = Runtime.getRuntime().maxMemory() * 85 / 100;
        while (kept.size() * (64L << 10) < most) {
            kept.add(new byte[64 << 10]);
        }
        System.gc();
        rig.pass(Duration.ofMinutes(1));
        System.out.println("after: " + rig.standing() + " " + rig.lines() + kept.size());
    }
}
