package dev.mawashi.pages;

/// The result of a change, shown once on the page that follows it.
///
/// @param text one sentence
/// @param isBad whether it failed, or did nothing
/// @param act id of the change in the record
/// @param canUndo whether it can be taken back still
/// @param isUnderWay whether it goes on still, and can be ended
public record Flash(String text, boolean isBad, String act, boolean canUndo, boolean isUnderWay) {}
