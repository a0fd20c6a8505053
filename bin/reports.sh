# Sourced by ./check and .ci/again, in the checkout's folder: what Maven's test reports say. A report counts when it is
# newer than the file STAMP.

reports() { # STAMP [FIND'S WORDS...]
    local stamp=$1
    shift
    find . -path '*/target/surefire-reports/*.txt' -newer "$stamp" "$@"
}

# One line: 3106 tests, 0 failed, 0 skipped
count_tests() { # STAMP
    reports "$1" -exec cat {} + 2>/dev/null | awk -F'[:,]' '
        /^Tests run:/ { tests += $2; failed += $4 + $6; skipped += $8 }
        END { printf "%d tests, %d failed, %d skipped\n", tests, failed, skipped }'
}

# A line for each test that failed, with tabs between: module, Class#method, first line of the reason.
failed_tests() { # STAMP
    local report module
    reports "$1" | sort | while read -r report; do
        module=${report#./}
        awk -v module="${module%%/*}" '
            name && /[^ ]/ && !/Error: *$/ { print module "\t" name "\t" $0; name = "" }
            / -- Time elapsed: .* <<< (FAILURE|ERROR)!$/ && !/^Tests run:/ {
                name = $1
                sub(/[({[].*/, "", name) # the parameters of a method
                parts = split(name, part, ".")
                name = part[parts] # a class, where all of it failed
                if (name !~ /^[A-Z]/) {
                    name = part[parts - 1] "#" name
                }
            }' "$report"
    done
}
