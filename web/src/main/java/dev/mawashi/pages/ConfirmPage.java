package dev.mawashi.pages;

import java.util.List;

/// Asks whether an act is meant.
///
/// @param question what will be done
/// @param note what becomes of it
/// @param action where the form goes
/// @param fields of the form
/// @param back where those go who are not sure
public record ConfirmPage(
        Shell shell, String question, String note, String action, List<Field> fields, String back) {
    public ConfirmPage {
        fields = List.copyOf(fields);
    }

    /// A hidden field.
    public record Field(String name, String value) {}
}
