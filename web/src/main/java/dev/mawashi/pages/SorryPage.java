package dev.mawashi.pages;

/// A page with the reason for which there is nothing to show.
public record SorryPage(Shell shell, String title, String reason) {}
