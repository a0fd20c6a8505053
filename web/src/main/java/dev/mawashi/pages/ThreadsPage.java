package dev.mawashi.pages;

/// The stacks of all threads of a process.
///
/// @param dump as the process reports it
public record ThreadsPage(Shell shell, String identity, String dump) {}
