package com.example;

import dev.mawashi.job.JavaJob;

/// Says hello to everyone it is given.
public final class Greeting implements JavaJob {
    public void perform(String... names) {
        System.out.println("Hello, " + String.join(" and ", names));
    }
}
