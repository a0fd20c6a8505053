#!/usr/bin/env bash
# ./check stacks [SUITE [CLASS]]: what meets an app's Ruby, its gems and its Redis is run on today's Debian too. For
# each suite it makes a root with debootstrap, once, and runs in it, on a built checkout, the tests
# tagged `stack`, what a release consists of (stacks-release.sh), and the images of examples/deploy (stacks-images.sh).
# CLASS names the tests of one class, without their package. Suites run side by side. Leaves no mount and no process.
# Needs root.
set -euo pipefail
home=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cache=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/mawashi/stacks
case ${1:-} in
"") suites=(trixie forky) ;;
*) suites=("$1") ;;
esac
class=${2:-}

fail() {
    echo "check stacks: $*" >&2
    exit 1
}

# What the tests need, by Debian's names. The first server is the one that all tests use.
packages_of() {
    echo openjdk-25-jre-headless openssl systemd ruby ruby-sidekiq ruby-rails ruby-sqlite3 ruby-pg puma postgresql procps
    servers_of "$1"
}
servers_of() {
    case $1 in
    trixie) echo redis-server valkey-server ;;
    forky) echo valkey-server ;;
    esac
}

again() { # a command that needs the network
    "$@" || { sleep 5 && "$@"; } || { sleep 20 && "$@"; }
}

# A suite that is newer than this machine's debootstrap is made as sid is.
debootstrap_into() { # SUITE FOLDER
    local scripts
    scripts=$(mktemp -d)
    cp -r /usr/share/debootstrap/. "$scripts"
    [ -e "$scripts/scripts/$1" ] || ln -s sid "$scripts/scripts/$1"
    rm -rf "$2" && mkdir -p "$2"
    DEBOOTSTRAP_DIR=$scripts debootstrap --variant=minbase "$1" "$2"
    rm -rf "$scripts"
}

# Runs a command in a root, with mounts that end with it.
in_root() { # FOLDER COMMAND...
    unshare --mount --pid --fork --kill-child bash -euc '
        root=$1 && shift
        mount --bind "$root" "$root" # what buildah does in there wants a mount point
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev"
        [ ! -d "$root/checkout" ] || mount --bind "$CHECKOUT" "$root/checkout"
        chroot "$root" "$@" || exit # not exec: as the first process, bash reaps orphans
        exit 0' in_root "$@"
}

# Made aside and renamed when it is whole; anew when it shall hold something else.
make_root() { # SUITE
    local root=$cache/$1 packages
    packages=$(packages_of "$1" | xargs)
    [ "$(cat "$root/packages" 2>/dev/null)" != "$packages" ] || return 0
    echo "check stacks: making a root of $1"
    again debootstrap_into "$1" "$root.new"
    printf '#!/bin/sh\nexit 101\n' >"$root.new/usr/sbin/policy-rc.d" # no package starts its service
    chmod 755 "$root.new/usr/sbin/policy-rc.d"
    # shellcheck disable=SC2086 # one word a package
    again in_root "$root.new" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
        apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends $packages
    rm -rf "$root.new"/var/cache/apt/archives/*.deb "$root"
    mkdir "$root.new/checkout"
    echo "$packages" >"$root.new/packages"
    mv "$root.new" "$root"
}

# The libraries of the tests, in the checkout, which the root sees as /checkout.
collect_libraries() {
    local jar
    rm -rf "$home/target/stacks" && mkdir -p "$home/target/stacks/lib"
    tr : '\n' <"$home/server/target/test.classpath" | while read -r jar; do
        cp -p "$jar" "$home/target/stacks/lib" # an archive of their classes is bound to their times
    done
}

run_tests() { # SUITE SERVER MODULE
    local reports=/checkout/target/stacks/$1-$2-$3
    echo "check stacks: $1: module $3 with $2"
    in_root "$cache/$1" env -i HOME=/tmp LC_ALL=C.UTF-8 PATH="/tmp/tools:/usr/bin:/usr/sbin:/bin:/sbin" bash -euc '
        mount -t tmpfs tmp /tmp # of this run alone: another may use the root
        mkdir /tmp/tools && ln -s "/usr/bin/$1" /tmp/tools/redis-server
        cd "/checkout/$2"
        exec java -XX:+UseSerialGC -Xmx1g -Xss2m --enable-native-access=ALL-UNNAMED \
            --sun-misc-unsafe-memory-access=allow \
            -cp "target/test-classes:target/classes:/checkout/target/stacks/lib/*" \
            org.junit.platform.console.ConsoleLauncher execute --scan-class-path=target/test-classes \
            --include-classname="$4" --include-tag=stack --fail-if-no-tests --disable-banner \
            --details=summary --reports-dir="$3"' run_tests "$2" "$3" "$reports" ".*[.]${class:-.*IT}" </dev/null ||
        fail "$1: a test of module $3 failed with $2; the reports are in target/stacks"
}

# shellcheck source=bin/stacks-release.sh
. "$home/bin/stacks-release.sh"
# shellcheck source=bin/stacks-images.sh
. "$home/bin/stacks-images.sh"
# shellcheck source=bin/stacks-table.sh
. "$home/bin/stacks-table.sh"

[ "$(id -u)" = 0 ] || fail "needs root, to make the roots: sudo ./check stacks"
[ -e "$home/server/target/test-classes" ] && [ -e "$home/server/target/test.classpath" ] ||
    fail "runs on what ./check has built: run that first"
command -v debootstrap >/dev/null || again apt-get -qq install -y --no-install-recommends debootstrap >/dev/null ||
    fail "needs debootstrap"
export CHECKOUT=$home
mkdir -p "$cache"
collect_libraries

run_suite() { # SUITE
    local suite=$1 server
    make_root "$suite" >"$home/target/stacks/$suite.log" 2>&1 ||
        fail "could not make a root of $suite; the log is target/stacks/$suite.log"
    if [ -z "$class" ]; then
        run_release "$suite"
        for server in $(servers_of "$suite"); do
            run_tests "$suite" "$server" core
        done
    fi
    server=$(servers_of "$suite")
    run_tests "$suite" "${server%% *}" server
}

for suite in "${suites[@]}"; do
    [ -n "$(servers_of "$suite")" ] || fail "no suite $suite: trixie, forky"
done
# Side by side, since most tests wait; each in a process group of its own, which ends as one.
running=()
end_suites() {
    local group
    for group in ${running[@]+"${running[@]}"}; do kill -TERM -- "-$group" 2>/dev/null || true; done
}
trap end_suites EXIT
trap 'exit 143' TERM HUP
trap 'exit 130' INT
set -m
for suite in "${suites[@]}"; do
    run_suite "$suite" </dev/null &
    running+=($!)
done
set +m
failed=0
for suite in "${running[@]}"; do
    wait "$suite" || failed=1
done
running=()
[ "$failed" = 0 ] || exit 1
if [ ${#suites[@]} -gt 1 ] && [ -z "$class" ]; then
    write_table
fi
echo "check stacks: passed, $SECONDS s"
