package dev.mawashi.pages;

import dev.mawashi.fleet.StackView;

/// The stack of one running job.
///
/// @param identity of its process
public record StackPage(Shell shell, String identity, StackView stack) {}
