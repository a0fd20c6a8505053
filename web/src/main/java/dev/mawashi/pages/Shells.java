package dev.mawashi.pages;

import dev.mawashi.http.Role;
import java.time.InstantSource;

/// Makes what each page has around it.
///
/// @param redis where the jobs are, without a password
/// @param version of Mawashi
public record Shells(InstantSource clock, String redis, String version) {
    public Shell shell(Section section, Role role) {
        return new Shell(section, clock.instant(), redis, version, role, null);
    }
}
