package dev.mawashi.operate;

/// The author of a change.
///
/// @param name that they gave: the user's of a password, `user@host` on a command line; `-` for
///   none
/// @param role what they may do, such as `admin`
/// @param address from which they came; `-` on a command line
public record Author(String name, String role, String address) {
    private static final int LENGTH_MAX = 100;

    public Author {
        name = cut(name);
        role = cut(role);
        address = cut(address);
    }

    private static String cut(String text) {
        return text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX);
    }
}
