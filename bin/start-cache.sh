# Sourced by ./mawashi. What a start can take over from a rehearsal: classes, parsed and linked, and which methods
# grew hot (the JDK's AOT cache). A start with it takes less CPU, and jobs run fast sooner.
#
# `mawashi prepare` makes one for commands and two for servers, for JRuby and for Ruby processes: an archive takes
# memory, all of it in each server. A checkout's build makes the first. Nothing is recorded otherwise: no start, no stop
# and no failure takes longer or changes what a later start finds. A cache is bound to the JVM and the jars. The JVM does
# without one of another JVM or of other flags, without a word; but it may take one of other jars for these (JDK-8377932),
# and then runs the classes of another release. So the names and sizes of the jars lie beside each cache, in `.jars`.

rehearsal_class=dev.mawashi.cli.Rehearsal

# Sets `cache_folder` to the user's own folder for caches of this release or checkout; empty without one.
find_own_folder() {
    cache_folder=${XDG_CACHE_HOME:-${HOME:-}/.cache}/mawashi/start${home//\//%}
    case $cache_folder in /.cache/*) cache_folder="" ;; /*) ;; *) cache_folder="" ;; esac # no HOME; not absolute
}

# Prints the names and sizes of the jars that a cache is made with.
jars_of_caches() {
    local jars
    IFS=: read -ra jars <<<"$cached_path"
    LC_ALL=C wc -c "${jars[@]}"
}

# Whether a cache of these jars was made here, or could not be made.
is_made() { # CACHE
    [ -r "$1" ] && [ -r "$1.jars" ] || return 1
    [ -n "${present_jars:-}" ] || present_jars=$(jars_of_caches 2>/dev/null) || true
    [ "$(<"$1.jars")" = "$present_jars" ]
}

# Sets `cache` to the one beside the jars, or else to the user's own; empty where neither was made of these jars.
find_start_cache() { # commands | run | children
    cache=$home/.mawashi/start/$1.aot
    ! is_made "$cache" || return 0
    find_own_folder
    cache=$cache_folder/$1.aot
    # What somebody else made is not run.
    [ -n "$cache_folder" ] && [ -O "$cache_folder" ] && [ -O "$cache" ] && is_made "$cache" || cache=""
}

# Adds to the array `flags` what a start needs to take over a cache.
use_start_cache() { # commands | run | children
    local cache
    case "${MAWASHI_JAVA_OPTS:-} ${JAVA_TOOL_OPTIONS:-} ${JDK_JAVA_OPTIONS:-}" in
    *-XX:AOT* | *-XX:Shared* | *-Xshare*) return 0 ;; # the JVM refuses to have two
    esac
    find_start_cache "$1"
    [ -s "$cache" ] || return 0
    flags+=("-XX:AOTCache=$cache" -Xlog:disable "-Xlog:all=warning,cds*=off,aot*=off,class+path=off:stderr")
}

# One that is killed in between leaves a cache that no start takes.
keep_cache() { # MADE CACHE
    (umask 022 && jars_of_caches >"$1.jars") && rm -f "$2.jars" && mv -f "$1" "$2" && mv -f "$1.jars" "$2.jars"
}

# Rehearses, and keeps what the JVM made of it beside the jars, or where this user may not write there, in the user's
# folder for caches. Prints where. The flags must be those of later starts.
make_start_caches() { # commands | run | children...
    local kind made folder=$home/.mawashi/start scratch
    if ! { mkdir -p "$folder" && [ -w "$folder" ]; } 2>/dev/null; then
        find_own_folder
        folder=$cache_folder
        [ -n "$folder" ] && (umask 077 && mkdir -p "$folder") && [ -O "$folder" ] ||
            fail "cannot write to $home, nor to a folder for caches (XDG_CACHE_HOME)"
    fi
    find "$folder" -name '*.new*' -mmin +60 -exec rm -f {} + # of one that was killed
    scratch=$(mktemp -d) || fail "cannot make a folder for temporary files: set TMPDIR to one"
    # shellcheck disable=SC2064 # as it is now
    trap "rm -rf '$scratch' '$folder'/*.$$.new*" EXIT
    for kind in "$@"; do
        made=$folder/$kind.$$.new
        set_flags "$kind"
        # Of this process: two that prepare at once do not write into one file.
        (umask 022 && env -u JAVA_TOOL_OPTIONS -u JDK_JAVA_OPTIONS XDG_CACHE_HOME="$scratch" TMPDIR="$scratch" \
            "$JDK/bin/java" "${flags[@]}" "-XX:AOTCacheOutput=$made" -cp "$cached_path" "$rehearsal_class" \
            "$kind") >"$scratch/log" 2>&1 </dev/null && [ -s "$made" ] && keep_cache "$made" "$folder/$kind.aot" || {
            tail -n 20 "$scratch/log" >&2 # the JVM itself may say some last lines
            fail "could not prepare faster starts"
        }
        echo "$folder/$kind.aot"
    done
}
