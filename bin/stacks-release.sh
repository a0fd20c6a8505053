# Sourced by stacks.sh: what the files of a release do on machines that have no sources of ours.

# The file of the last build whose name this pattern matches.
released() { # PATTERN
    # shellcheck disable=SC2012,SC2086 # names of ours; a pattern
    (cd "$home/release/target" && ls -t $1) | head -n 1
}

# Nothing but the smallest Debian: no Java.
make_bare_root() {
    [ ! -d "$cache/bare" ] || return 0
    echo "check stacks: making a root with nothing in it"
    again debootstrap_into trixie "$cache/bare.new"
    mkdir "$cache/bare.new/checkout"
    mv "$cache/bare.new" "$cache/bare"
}

run_tarball() { # ROOT FILE
    echo "check stacks: $1: the demo of $2"
    in_root "$cache/$1" env -i HOME=/tmp PATH=/usr/bin:/bin bash -euc '
        rm -rf /tmp/* && cd /tmp
        tar xzf "/checkout/release/target/$1"
        mawashi-*/mawashi demo >demo.out 2>&1 || { cat demo.out; exit 1; }
        rm -rf /tmp/*' run_tarball "$2" </dev/null || fail "$1: the demo failed"
}

# Installs it, runs it, and has it leave nothing behind.
run_deb() { # ROOT FILE
    echo "check stacks: $1: $2"
    in_root "$cache/$1" env -i HOME=/tmp LC_ALL=C DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -euc '
        apt() { apt-get -qq -o Dpkg::Use-Pty=0 "$@" >/tmp/apt.log 2>&1 || { cat /tmp/apt.log; exit 1; }; }
        files() {
            find / -xdev \( -path /proc -o -path /dev -o -path /checkout -o -path /run -o -path /tmp -o -path /var/log \
                -o -path /var/cache/apt \) -prune -o -print | sort
        }
        rm -rf /tmp/* && cp "/checkout/release/target/$1" /tmp/mawashi.deb
        dpkg --purge mawashi 2>/dev/null # of a run that was cut short
        files >/tmp/before
        apt install -y --no-install-recommends /tmp/mawashi.deb
        systemd-analyze verify mawashi@shop.service
        mawashi demo >/tmp/demo.out 2>&1 || { cat /tmp/demo.out; exit 1; }
        dpkg --verify mawashi
        apt purge -y mawashi
        files | diff /tmp/before -
        rm -rf /tmp/*' run_deb "$2" </dev/null || fail "$1: the package failed"
}

run_release() { # SUITE
    run_tarball "$1" "$(released 'mawashi-*[!a].tar.gz')"
    [ "$1" = trixie ] || return 0
    run_deb "$1" "$(released 'mawashi_*.deb')"
    make_bare_root >"$home/target/stacks/bare.log" 2>&1 || fail "could not make a root; the log is target/stacks/bare.log"
    run_tarball bare "$(released 'mawashi-*-with-java.tar.gz')"
}
