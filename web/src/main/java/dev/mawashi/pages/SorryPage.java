package dev.mawashi.pages;

/// Why there is nothing to show.
public record SorryPage(Shell shell, String title, String reason) {}
