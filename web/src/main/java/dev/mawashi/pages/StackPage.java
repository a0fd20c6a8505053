package dev.mawashi.pages;

import dev.mawashi.inspect.StackView;

/// Where one running job is.
///
/// @param identity of its process
public record StackPage(Shell shell, String identity, StackView stack) {}
