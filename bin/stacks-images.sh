# Sourced by stacks.sh: builds the images of examples/deploy, without Docker, and does in them what the examples say: start,
# probes, stop. Their base images are our roots.

# Builds them: a small Debian with buildah, which keeps its images.
make_builder() {
    make_bare_root
    if [ ! -d "$cache/builder" ]; then
        rm -rf "$cache/builder.new" && cp -a "$cache/bare" "$cache/builder.new"
        again in_root "$cache/builder.new" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
            apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends buildah netavark crun
        mv "$cache/builder.new" "$cache/builder"
    fi
    make_image bare debian:trixie-slim
    make_image "$1" ruby:suite
}

make_image() { # ROOT NAME
    [ "$cache/builder/image-$1" -nt "$cache/$1/checkout" ] && return
    tar -C "$cache/$1" --one-file-system --exclude=./checkout --exclude='./tmp/*' -c . |
        in_root "$cache/builder" env HOME=/root LC_ALL=C bash -euc '
            container=$(buildah from scratch)
            tar -x -C "$(buildah mount "$container")"
            buildah commit -q --rm "$container" "docker.io/library/$1"' make_image "$2"
    touch "$cache/builder/image-$1"
}

# The words that an example gives for something, one a line.
example() { # FILE KEY...
    ruby -ryaml -rshellwords -e '
        found = YAML.load_file(ARGV.shift).dig(*ARGV.map { |key| Integer(key, exception: false) || key })
        puts(found.is_a?(Array) ? found : Shellwords.split(found.to_s))' "$home/examples/deploy/$1" "${@:2}"
}

run_images() { # SUITE
    echo "check stacks: $1: the images of examples/deploy"
    make_builder "$1" >"$home/target/stacks/builder.log" 2>&1 || fail "could not make base images; the log is target/stacks/builder.log"
    local in_pod=(spec template spec containers 0)
    in_root "$cache/builder" env -i HOME=/root LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        KUBERNETES="$(example kubernetes.yaml "${in_pod[@]}" args)" \
        PROBE="$(example kubernetes.yaml "${in_pod[@]}" startupProbe exec command)" \
        LIVENESS="$(example kubernetes.yaml "${in_pod[@]}" livenessProbe exec command)" \
        PRE_STOP="$(example kubernetes.yaml "${in_pod[@]}" lifecycle preStop exec command)" \
        GRACE="$(example kubernetes.yaml spec template spec terminationGracePeriodSeconds)" \
        KAMAL="$(example kamal.yml servers jobs cmd)" \
        HEALTH="$(example kamal.yml servers jobs options health-cmd)" \
        DRAIN="$(example kamal.yml drain_timeout)" \
        PROCFILE="$(example Procfile worker)" \
        bash /checkout/bin/stacks-containers.sh "$(released 'mawashi-*-with-java.tar.gz')" </dev/null ||
        fail "the images of examples/deploy failed"
}
