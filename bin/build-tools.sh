# Sourced, after find-jdk.sh, by ./check and in a checkout by ./mawashi: brings what a build needs, and shows what
# takes long. Works with bash 3.2 (macOS).

# Runs a command with all that it says in a log, and every few seconds writes to stderr what it is at: the log's
# last line.
with_progress() { # NAME LOG COMMAND...
    local name=$1 log=$2 teller status=0
    shift 2
    : >"$log"
    (
        # It ends by itself after a kill -9 of the caller.
        while sleep 4 </dev/null >/dev/null 2>&1 && kill -0 $$ 2>/dev/null; do
            printf '%s: %3d s: %s\n' "$name" "$SECONDS" "$(last_line "$log")" >&2
        done
    ) >/dev/null 9>&- &
    teller=$!
    "$@" >"$log" 2>&1 </dev/null || status=$?
    kill "$teller" 2>/dev/null || true
    wait "$teller" 2>/dev/null || true
    return "$status"
}

last_line() { # LOG
    tail -n 20 "$1" | LC_ALL=C tr -cd '[:print:]\n' |
        sed -n -e 's/^\[INFO\] //' -e 's/^-* *//' -e '/[^ ]/h' -e '${' -e g -e 's/^\(.\{110\}\).*/\1/' -e p -e '}'
}

# Debian starts a service when it installs one; the usual policy file forbids it meanwhile. In a process of its
# own, with which the trap ends.
install_packages() ( # PACKAGE...
    policy=/usr/sbin/policy-rc.d
    if [ ! -e "$policy" ]; then
        trap 'rm -f "$policy"' EXIT
        printf '#!/bin/sh\nexit 101\n' >"$policy"
        chmod 755 "$policy"
    fi
    export DEBIAN_FRONTEND=noninteractive
    apt-get -q -o Dpkg::Use-Pty=0 install -y --no-install-recommends "$@"
)

apt_has() { # PACKAGE...
    local package policy
    for package in "$@"; do
        policy=$(LC_ALL=C apt-cache policy "$package" 2>/dev/null)
        case $policy in *"Candidate: "[0-9]*) ;; *) return 1 ;; esac
    done
}

# Brings packages by apt, or returns 1: this is not root, or apt has not all of them. Calls fail() if apt fails.
bring() { # NAME LOG PACKAGE...
    local name=$1 log=$2
    shift 2
    command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return 1
    with_progress "$name" "$log" apt-get -q update || true # what it knew before may do
    apt_has "$@" || return 1
    echo "$name: installing $*" >&2
    with_progress "$name" "$log" install_packages "$@" || {
        tail -n 20 "$log" >&2
        fail "apt-get could not install $*; the log is $log"
    }
}

# Sets JDK, and has mvn on PATH, or fails with the line to run.
bring_jdk_and_maven() { # NAME LOG
    local wanted=()
    find_jdk javac || wanted+=("openjdk-$JDK_VERSION_MIN-jdk-headless")
    command -v mvn >/dev/null || wanted+=(maven)
    [ "${#wanted[@]}" -gt 0 ] || return 0
    if bring "$1" "$2" "${wanted[@]}" && find_jdk javac; then return 0; fi
    fail "a checkout needs a JDK $JDK_VERSION_MIN and Maven 3.8.6 or newer, to build itself; $(how_to_install "$(system)" "${wanted[@]}")"
}

# The words by which how_to_install knows systems.
system() {
    if command -v apt-get >/dev/null; then
        if apt_has "openjdk-$JDK_VERSION_MIN-jdk-headless"; then echo apt; else
            (. /etc/os-release && echo "apt ${VERSION_CODENAME:-bookworm}")
        fi
    elif command -v dnf >/dev/null; then
        echo dnf
    elif [ "$(uname)" = Darwin ]; then
        echo brew
    else
        echo other
    fi
}

how_to_install() { # SYSTEM PACKAGE..., the packages by Debian's names
    local system=$1 source=https://packages.adoptium.net/artifactory packages sudo="sudo "
    local key=/etc/apt/trusted.gpg.d/adoptium.asc
    shift
    packages="$*"
    [ "$(id -u)" != 0 ] || sudo=""
    case $system in
    apt) echo "run: ${sudo}apt-get update && ${sudo}apt-get install -y --no-install-recommends $packages" ;;
    apt*) # without this JDK: Debian 12, older Ubuntus
        case $packages in
        *openjdk*)
            packages=${packages/openjdk-$JDK_VERSION_MIN-jdk-headless/temurin-$JDK_VERSION_MIN-jdk}
            echo "run: ${sudo}sh -c 'apt-get update && apt-get install -y wget ca-certificates &&" \
                "wget -qO $key $source/api/gpg/key/public &&" \
                "echo deb $source/deb ${system#apt } main >/etc/apt/sources.list.d/adoptium.list &&" \
                "apt-get update && apt-get install -y --no-install-recommends $packages'"
            ;;
        *) how_to_install apt "$@" ;;
        esac
        ;;
    dnf) echo "run: ${sudo}dnf install -y ${packages/openjdk-$JDK_VERSION_MIN-jdk-headless/java-$JDK_VERSION_MIN-openjdk-devel}" ;;
    brew) echo "run: brew install ${packages/openjdk-$JDK_VERSION_MIN-jdk-headless/openjdk@$JDK_VERSION_MIN}" ;;
    *) echo "install them (https://adoptium.net, https://maven.apache.org), or set JAVA_HOME to a JDK and PATH to Maven" ;;
    esac
}
