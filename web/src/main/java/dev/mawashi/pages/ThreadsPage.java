package dev.mawashi.pages;

/// Where all threads of a process are.
///
/// @param dump as the process tells it
public record ThreadsPage(Shell shell, String identity, String dump) {}
