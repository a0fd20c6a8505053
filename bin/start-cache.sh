# Sourced by ./mawashi. What a server can take over from an earlier one of the same app: classes,
# parsed and linked, and which methods grew hot (the JDK's AOT cache). A start with it takes less CPU,
# and jobs run fast sooner.
#
# It is made on the machine that uses it: at a server's first start there is none, the second one
# takes notes and writes them into a file as it ends (some seconds, once), the third one has it. The first
# does not, since many servers are never started again in the same file system: containers. Only a
# server that has worked writes one. All is silent, and a file that does not fit is not used: a start must not fail for want of a cache.

# The value of a flag with an argument, as the command line gives it last: -rX, -r X, --require=X.
value_of() { # SHORT LONG WORD...
    local short=$1 long=$2 value="" word next=""
    shift 2
    for word in "$@"; do
        if [ -n "$next" ]; then
            value=$word next=""
            continue
        fi
        case $word in
        "$short" | "$long") next=1 ;;
        "$long"=*) value=${word#*=} ;;
        "$short"*) value=${word#"$short"} ;;
        esac
    done
    printf '%s\n' "$value"
}

# The jars with their sizes and exact times, as GNU's ls or that of BSD and macOS tells them.
list_jars() {
    local IFS=:
    # shellcheck disable=SC2086 # a word a jar
    ls -ldn --time-style=full-iso $class_path 2>/dev/null || ls -ldnT $class_path
}

# What the code of another processor may not do on this one.
processor() {
    uname -m
    grep -m 2 -E '^(model name|flags|Features)' /proc/cpuinfo || sysctl -n machdep.cpu.brand_string || true
}

# A file of the JVM's whose first bytes are there, which come last into it.
is_whole() {
    [ "$(od -An -tx4 -N4 "$1" 2>/dev/null)" = " f00baba2" ]
}

# Adds to the array `flags` what the start needs: reads `JDK`, `class_path` and `flags`.
use_start_cache() { # the words after ./mawashi
    local folder=${XDG_CACHE_HOME:-${HOME:-}/.cache}/mawashi app runner key cache made
    case $folder in /.cache/*) return 0 ;; /*) ;; *) return 0 ;; esac # no HOME; not absolute
    mkdir -p -m 700 "$folder" 2>/dev/null && [ -O "$folder" ] && [ -w "$folder" ] || return 0
    app=$(value_of -r --require "$@")
    case $app in /*) ;; *) app=$PWD/$app ;; esac
    runner=$(value_of --runner --runner "$@")
    key=$({ printf '%s\n' "$JDK" "$app" "$runner" "${flags[@]}" && cat "$JDK/release" && processor && list_jars; } 2>/dev/null | cksum) || return 0
    cache=$folder/start-${key// /-}.aot
    # Left by other JDKs, builds and apps, 60 MB each; and by versions before this one.
    find "$folder" \( -name 'start-*.aot*' -o -name 'classes-*.jsa' \) -mtime +30 -exec rm -f {} + 2>/dev/null || true
    for made in "$cache".*.new; do
        if [ -e "$made" ] && is_whole "$made"; then mv -f "$made" "$cache" 2>/dev/null || true; fi
    done
    # Of a server that was killed while it wrote.
    find "$folder" -name 'start-*.new*' -mmin +60 -exec rm -f {} + 2>/dev/null || true
    if [ -e "$cache" ] && is_whole "$cache"; then
        touch -c "$cache" 2>/dev/null || true # in use
        flags+=("-XX:AOTCache=$cache")
    elif [ ! -e "$cache.seen" ]; then
        : >"$cache.seen" || true
        return 0
    elif [ -z "${MAWASHI_JAVA_OPTS:-}${JAVA_TOOL_OPTIONS:-}${JDK_JAVA_OPTIONS:-}" ]; then
        rm -f "$cache"
        touch "$cache.seen" 2>/dev/null || true
        # Of this process: two servers that end at once do not write into one file.
        made=$cache.$$.new
        flags+=("-XX:AOTCacheOutput=$made" "-Dmawashi.takesNotes=$made")
    else
        return 0 # with an agent or a debugger the JVM takes no notes
    fi
    flags+=(-Xlog:disable "-Xlog:all=warning,cds*=off,aot*=off,class+path=off:stderr")
}
