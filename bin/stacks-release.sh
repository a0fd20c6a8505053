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
        # The unit that the guide shows: an unknown key is a warning.
        sed -n "/^## systemd/,/^## /s/^    //p" /checkout/docs/guide/deploy.md |
            sed s:/opt/mawashi/mawashi:/usr/bin/mawashi: >/tmp/guide.service
        systemd-analyze verify /tmp/guide.service >/tmp/guide.log 2>&1
        [ ! -s /tmp/guide.log ] || { cat /tmp/guide.log; exit 1; }
        mawashi demo >/tmp/demo.out 2>&1 || { cat /tmp/demo.out; exit 1; }
        dpkg --verify mawashi
        apt purge -y mawashi
        files | diff /tmp/before -
        rm -rf /tmp/*' run_deb "$2" </dev/null || fail "$1: the package failed"
}

# The commands of the guide in a Rails app that has never heard of Mawashi: at most five, and two minutes.
run_first_job() { # ROOT FILE
    local commands
    commands=$(sed -n "/^## An app's first job/,/^## Other/s/^    //p" "$home/docs/guide/install.md")
    [ "$(wc -l <<<"$commands")" -le 5 ] || fail "the guide needs more than five commands to an app's first job"
    echo "check stacks: $1: an app's first job, as the guide says"
    in_root "$cache/$1" env -i HOME=/tmp LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin bash -euc '
        dpkg --purge mawashi 2>/dev/null # of a run that was cut short
        rm -rf /tmp/* /srv/shop && cp "/checkout/release/target/$1" "/tmp/$1"
        cd /srv
        rails new shop --minimal --skip-bundle --skip-git --skip-test --skip-active-record --skip-asset-pipeline >/tmp/log 2>&1
        printf "gem %s\n" "\"rails\"" "\"sidekiq\"" >shop/Gemfile
        mkdir shop/app/sidekiq
        printf "%s\n" "class HelloJob" "  include Sidekiq::Job" "  def perform(name) = File.write(\"/tmp/hello\", name)" end \
            >shop/app/sidekiq/hello_job.rb
        port=$((20000 + RANDOM % 10000)) # the machine beside the root may have one at the usual port
        valkey-server --port "$port" --save "" >/tmp/valkey.log &
        export REDIS_URL=redis://localhost:$port/0
        until valkey-cli -p "$port" ping >/dev/null 2>&1; do sleep 0.1; done
        cd /tmp
        SECONDS=0
        bash -ec "${2//<version>_all.deb/${1#mawashi_}}" >>/tmp/log 2>&1 </dev/null || { cat /tmp/log; exit 1; }
        until [ -s /tmp/hello ] || [ "$SECONDS" -ge 120 ]; do sleep 0.1; done
        [ "$(cat /tmp/hello)" = world ] || { cat /tmp/log; exit 1; }
        echo "check stacks: $(wc -l <<<"$2") commands, $SECONDS s"
        rm -rf /srv/shop
        dpkg --purge mawashi >/dev/null' run_first_job "$2" "$commands" </dev/null || fail "$1: no first job within two minutes"
}

run_release() { # SUITE
    run_tarball "$1" "$(released 'mawashi-*[!a].tar.gz')"
    if [ "$1" = forky ]; then
        run_first_job "$1" "$(released 'mawashi_*.deb')"
        return
    fi
    run_deb "$1" "$(released 'mawashi_*.deb')"
    make_bare_root >"$home/target/stacks/bare.log" 2>&1 || fail "could not make a root; the log is target/stacks/bare.log"
    run_tarball bare "$(released 'mawashi-*-with-java.tar.gz')"
    run_images "$1"
}
