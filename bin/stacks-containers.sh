#!/usr/bin/env bash
# Runs in the builder's root (stacks-images.sh): builds the images of examples/deploy and starts containers of them. What the
# examples say comes in variables, a word a line. A container is a process of its own PID namespace, in the image's files,
# as the image's user; its first process is what the example names.
set -euo pipefail
work=$(mktemp -d)
files="" # of the container at hand
container=0 # the process that waits for its first one
server=0 # a Redis
limits="--ulimit nofile=$(ulimit -n):$(ulimit -Hn) --ulimit nproc=$(ulimit -u):$(ulimit -Hu)" # no more than we have
examples=/checkout/examples/deploy

fail() {
    echo "check stacks: $*" >&2
    [ ! -e "$work/log" ] || tail -n 40 "$work/log" >&2
    exit 1
}

build() { # what docker build takes
    # shellcheck disable=SC2086 # words
    buildah build -q --pull=never --isolation chroot $limits "$@" >"$work/log" 2>&1 || fail "cannot build $*"
}

# Sets `files` to those of a new container of this image.
create() { # IMAGE
    image=$1
    [ -z "$files" ] || umount -R "$files/dev" "$files/proc"
    files=$(buildah mount "$(buildah from --pull=never "$1")")
    mount -t proc proc "$files/proc"
    mount --rbind /dev "$files/dev"
}

of_image() { # FIELD, a word a line
    buildah inspect --type image --format "{{range .OCIv1.Config.$1}}{{println .}}{{end}}" "$image" | sed '/^$/d'
}

one_of_image() { # FIELD
    buildah inspect --type image --format "{{.OCIv1.Config.$1}}" "$image"
}

# Starts the container's first process in the background; without words the one that the image names.
start() { # WORD...
    local words environment user
    mapfile -t words < <(of_image Entrypoint)
    if [ $# -gt 0 ]; then words+=("$@"); else mapfile -t -O "${#words[@]}" words < <(of_image Cmd); fi
    mapfile -t environment < <(of_image Env)
    user=$(one_of_image User)
    : >"$work/log" # that of the one before
    env -i "${environment[@]}" "REDIS_URL=redis://127.0.0.1:$port/0" \
        unshare --pid --fork --kill-child --mount-proc="$files/proc" \
        chroot --userspec="$user:$user" "$files" /bin/sh -c 'cd "$0" && exec "$@"' "$(one_of_image WorkingDir)" "${words[@]}" \
        >"$work/log" 2>&1 </dev/null &
    container=$!
}

first_process() {
    local pid
    read -r pid _ <"/proc/$container/task/$container/children" || [ -n "$pid" ] && echo "$pid"
}

# Runs a command as `docker exec` does.
exec_in() { # WORD...
    nsenter --target "$(first_process)" --all --env --root --wd --setuid "$(one_of_image User)" -- "$@"
}

await() { # SECONDS WHAT COMMAND...
    local until=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ "$SECONDS" -lt "$until" ] && kill -0 "$container" 2>/dev/null || fail "$what: not so"
        sleep 0.2
    done
}

stop_in_time() { # SECONDS, while a job runs
    local status=0 began
    redis LPUSH queue:default '{"class":"NapJob","args":[],"jid":"nap","queue":"default","retry":true}' >/dev/null
    await 60 "the job began" test -e "$files/tmp/began"
    [ -z "${2:-}" ] || exec_in "${@:2}"
    began=$SECONDS
    kill -TERM "$(first_process)"
    wait "$container" || status=$?
    [ "$status" = 0 ] || fail "a container that got TERM ended with $status"
    [ $((SECONDS - began)) -le "$1" ] || fail "it took $((SECONDS - began)) s to stop"
    [ -e "$files/tmp/ended" ] || fail "its job did not end first"
    rm "$files/tmp/began" "$files/tmp/ended"
}

redis() { # a command
    chroot "$files" redis-cli -p "$port" "$@"
}

# Leaves the base images alone, of all that takes place.
clean_up() {
    local pid
    set +e
    for pid in "$server" "$container"; do [ "$pid" = 0 ] || kill -KILL "$pid"; done
    wait
    umount -R "$files/dev" "$files/proc"
    buildah rm --all
    buildah rmi jobs shop mawashi
    buildah rmi --prune
    rm -rf "$work"
}

mapfile -t kubernetes <<<"$KUBERNETES"
mapfile -t probe <<<"$PROBE"
mapfile -t liveness <<<"$LIVENESS"
mapfile -t health <<<"$HEALTH"
mapfile -t pre_stop <<<"$PRE_STOP"
mapfile -t kamal <<<"$KAMAL"
mapfile -t procfile <<<"$PROCFILE"
trap 'clean_up >/dev/null 2>&1' EXIT

mkdir "$work/dist" && cp "/checkout/release/target/$1" "$work/dist"
(cd "$work/dist" && sha256sum -- * >SHA256SUMS)
build -t mawashi -f "$examples/Dockerfile" "$work/dist"
port=$((20000 + RANDOM % 10000)) # the machine beside the root may have a Redis at the usual port
create mawashi
start demo
wait "$container" || fail "the demo failed in the image of Mawashi alone"

cat >"$work/nap_job.rb" <<'END'
class NapJob
  include Sidekiq::Job

  def perform
    File.write("/tmp/began", "")
    sleep 2
    File.write("/tmp/ended", "")
  end
end
END
# An app as Rails makes it, with the entrypoint that Rails gives its image.
build -t shop -f - "$work" <<'END'
FROM ruby:suite
RUN rails new /srv/shop --minimal --skip-bundle --skip-git --skip-test --skip-active-record --skip-asset-pipeline \
    && mv /srv/shop /rails && printf 'gem "%s"\n' rails sidekiq >/rails/Gemfile && mkdir /rails/app/sidekiq
COPY nap_job.rb /rails/app/sidekiq/
RUN useradd rails --uid 1000 --create-home && chown -R rails /rails
ENV HOME=/home/rails
WORKDIR /rails
USER 1000
ENTRYPOINT ["/rails/bin/docker-entrypoint"]
CMD ["./bin/rails", "server"]
END
build -t jobs --build-arg APP=shop -f "$examples/app.Dockerfile" "$work"
create jobs
chroot "$files" redis-server --port "$port" --save "" >"$work/redis.log" 2>&1 &
server=$!
until redis PING >/dev/null 2>&1; do sleep 0.1; done

works() { # WHO, seconds to stop in, what comes before TERM
    await 60 "it works, as $1 starts it" grep -q "working on" "$work/log"
    [[ $(readlink "/proc/$(first_process)/exe") = */java ]] || fail "$1: a shell stays the first process"
    stop_in_time "${@:2}"
}
start "${kubernetes[@]}"
await 60 "its first probe" exec_in "${probe[@]}"
exec_in "${liveness[@]}" || fail "its second probe failed"
works Kubernetes "$GRACE" "${pre_stop[@]}"
start "${kamal[@]}"
await 60 "it is healthy" exec_in "${health[@]}"
works Kamal "$DRAIN"
start # as the image says
works Docker "$DRAIN"
# bin/mawashi finds the release in /opt, as in a Dokku image.
chroot "$files" sh -c 'cd /rails && /opt/mawashi/mawashi init' >/dev/null
start "${procfile[@]}"
works "a Procfile" 25
