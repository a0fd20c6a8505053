package dev.mawashi.pages;

/// The pages that the head of each page leads to.
public enum Section {
    OVERVIEW("/", "Overview"),
    QUEUES("/queues", "Queues"),
    BUSY("/busy", "Busy"),
    RETRIES("/retries", "Retries"),
    SCHEDULED("/scheduled", "Scheduled"),
    DEAD("/dead", "Dead"),
    CRON("/cron", "Cron"),
    FAILED("/failed", "Failed"),
    CLASSES("/classes", "Classes"),
    PROCESSES("/processes", "Processes"),
    JVM("/jvm", "JVM"),
    REDIS("/redis", "Redis");

    private final String path;
    private final String label;

    Section(String path, String label) {
        this.path = path;
        this.label = label;
    }

    public String path() {
        return path;
    }

    public String label() {
        return label;
    }
}
