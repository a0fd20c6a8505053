package dev.mawashi.pages;

import dev.mawashi.http.Role;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// The frame of each page.
///
/// @param redis where the jobs are, without a password
/// @param version of Mawashi
/// @param role of whoever looks: what it may not do is not offered
/// @param flash what the reader has just done; null where that is nothing
public record Shell(
        Section section,
        Instant now,
        String redis,
        String version,
        Role role,
        @Nullable Flash flash) {

    /// The same with what the reader has just done.
    public Shell with(@Nullable Flash done) {
        return new Shell(section, now, redis, version, role, done);
    }

    /// Whether the reader may pause, retry, cancel and the like.
    public boolean mayOperate() {
        return role.may(Role.OPERATOR);
    }

    /// Whether the reader may clear, delete and end processes.
    public boolean mayAdminister() {
        return role.may(Role.ADMIN);
    }
}
