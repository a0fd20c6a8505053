# Sourced by stacks.sh: the table of docs/guide/versions.md, from what a whole run found and ran.

# Without the parts of a version that are Debian's.
version_of() { # ROOT PACKAGE
    chroot "$1" dpkg-query -W -f '${Version}' "$2" 2>/dev/null |
        sed -E 's/^[0-9]+://; s/-[^-]*$//; s/[+~](dfsg|ds|deb|b|[0-9]+).*//' || true
}

tests_of() { # SUITE SERVER MODULE
    grep -c '<testcase ' "$home/target/stacks/$1-$2-$3/TEST-junit-jupiter.xml"
}

# One line of the table: what it is, then a field for each suite.
row() { # NAME COMMAND...
    local suite name=$1 cells=""
    shift
    for suite in "${suites[@]}"; do
        cells="$cells $("$@" "$suite") |"
    done
    echo "| $name |$cells"
}

debian_of() { # SUITE
    # shellcheck disable=SC1091 # the root's
    (. "$cache/$1/etc/os-release" && echo "$PRETTY_NAME")
}

package_of() { # PACKAGE SUITE
    version_of "$cache/$2" "$1"
}

ruby_of() { # SUITE
    chroot "$cache/$1" ruby -e 'print RUBY_VERSION'
}

postgres_of() { # SUITE
    package_of postgresql "$1" | cut -d+ -f1
}

broker_tests_of() { # SERVER SUITE
    if [ -d "$home/target/stacks/$2-$1-core" ]; then tests_of "$2" "$1" core; fi
}

app_tests_of() { # SUITE
    tests_of "$1" "$(servers_of "$1" | cut -d' ' -f1)" server
}

table() {
    row "" debian_of
    printf '|---|%s\n' "$(printf -- '---|%.0s' "${suites[@]}")"
    row Sidekiq package_of ruby-sidekiq
    row Rails package_of ruby-rails
    row Ruby ruby_of
    row Puma package_of puma
    row Redis package_of redis-server
    row Valkey package_of valkey-server
    row PostgreSQL postgres_of
    row "Java (OpenJDK)" package_of openjdk-25-jre-headless
    row "tests of jobs in Redis that passed" broker_tests_of redis-server
    row "tests of jobs in Valkey that passed" broker_tests_of valkey-server
    row "tests of apps that passed" app_tests_of
}

# Puts the table into the page, in the place of its first one.
write_table() {
    local page=$home/docs/guide/versions.md
    table >"$home/target/stacks/table.md"
    awk -v table="$home/target/stacks/table.md" '
        /^\|/ && !after { if (!done) { while ((getline line < table) > 0) print line; done = 1 } next }
        { after = done; print }' "$page" >"$home/target/stacks/versions.md"
    cmp -s "$home/target/stacks/versions.md" "$page" || {
        cat "$home/target/stacks/versions.md" >"$page"
        echo "check stacks: docs/guide/versions.md has a new table"
    }
}
