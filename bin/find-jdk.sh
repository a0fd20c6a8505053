# Sourced by ./mawashi and ./check: looks for a JDK of the version that Mawashi needs.
#
# find_jdk [TOOL]   sets JDK to the folder of a JDK that has bin/TOOL (java by default), or returns 1.
#
# The runtime inside a release wins (the folder java in `home`), then JAVA_HOME, then java on PATH, then the newest
# under the usual folders. A version is read from
# the JDK's `release` file, so that no JVM is started to be asked for it. Works with bash 3.2 (macOS).

JDK_VERSION_MIN=25

# Sets jdk_version to a number that orders versions: 25.0.3 is 25000003. 0 when FOLDER is no JDK.
read_jdk_version() {
    local line text="" major minor patch
    jdk_version=0
    [ -r "$1/release" ] || return 0
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in JAVA_VERSION=*) text=${line#JAVA_VERSION=} ;; esac
    done <"$1/release"
    text=${text//\"/}
    text=${text%%[!0-9.]*}
    IFS=. read -r major minor patch _ <<<"$text"
    jdk_version=$((10#${major:-0} * 1000000 + 10#${minor:-0} * 1000 + 10#${patch:-0}))
}

is_jdk() { # FOLDER TOOL
    [ -x "$1/bin/$2" ] || return 1
    read_jdk_version "$1"
    [ "$jdk_version" -ge $((JDK_VERSION_MIN * 1000000)) ]
}

# The folder of the java on PATH. A version manager's stand-in has no `release` beside it; only then
# java itself is asked.
jdk_on_path() {
    local java folder
    java=$(command -v java) || return 1
    while [ -L "$java" ]; do
        folder=$(cd -P "$(dirname "$java")" && pwd)
        java=$(readlink "$java")
        case $java in /*) ;; *) java=$folder/$java ;; esac
    done
    folder=$(cd -P "$(dirname "$java")/.." && pwd) || return 1
    if [ ! -r "$folder/release" ]; then
        folder=$("$java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p') || return 1
    fi
    echo "$folder"
}

find_jdk() {
    local tool=${1:-java} folder newest=0
    JDK=""
    if is_jdk "${home:-}/java" "$tool"; then
        JDK=$home/java
        return 0
    fi
    if [ -n "${JAVA_HOME:-}" ] && is_jdk "$JAVA_HOME" "$tool"; then
        JDK=$JAVA_HOME
        return 0
    fi
    if folder=$(jdk_on_path) && is_jdk "$folder" "$tool"; then
        JDK=$folder
        return 0
    fi
    for folder in /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/*jdk* /opt/java/* \
        "${HOME:-/nonexistent}"/.sdkman/candidates/java/* "${HOME:-/nonexistent}"/.jdks/* \
        "${HOME:-/nonexistent}"/.local/share/mise/installs/java/* \
        "${HOME:-/nonexistent}"/.asdf/installs/java/* \
        /opt/homebrew/opt/openjdk*/libexec/openjdk.jdk/Contents/Home \
        /Library/Java/JavaVirtualMachines/*/Contents/Home \
        "${HOME:-/nonexistent}"/Library/Java/JavaVirtualMachines/*/Contents/Home; do
        if is_jdk "$folder" "$tool" && [ "$jdk_version" -gt "$newest" ]; then
            newest=$jdk_version
            JDK=$folder
        fi
    done
    [ -n "$JDK" ]
}

no_jdk_message() {
    echo "no JDK $JDK_VERSION_MIN or newer in JAVA_HOME, on PATH or in the usual folders:" \
        "install one (https://adoptium.net, or: sdk install java $JDK_VERSION_MIN-tem)" \
        "or set JAVA_HOME to it"
}
