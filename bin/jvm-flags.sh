# Sourced by ./mawashi. The flags of the JVM, by what runs on it, in the array `flags`; in the text `reasons` why those
# for memory were chosen.

# Whether all jobs run in processes of their own, as far as flags and files show without reading YAML. Where it is
# wrong the server does the same, only with more memory or slower.
runs_in_children() { # the words of the command line
    local word before="" runner="" app=. config="" file
    for word in "$@"; do
        case $before in
        --runner) runner=$word ;;
        -r | --require) app=$word ;;
        -C | --config) config=$word ;;
        esac
        case $word in
        --runner=*) runner=${word#*=} ;;
        --require=*) app=${word#*=} ;;
        --config=*) config=${word#*=} ;;
        --ruby | --ruby=* | --processes | --processes=*) runner=${runner:-mri} ;;
        esac
        before=$word
    done
    [ -d "$app" ] || app=.
    file=$app/config/mawashi.yml
    case $config in */*) file=${config%/*}/mawashi.yml ;; ?*) file=mawashi.yml ;; esac
    if [ -r "$file" ]; then
        ! grep -Eq "(^|[^[:alnum:]_])(jruby|java)([^[:alnum:]_]|\$)" "$file" || return 1
        [ -n "$runner" ] || ! grep -Eq "^runner: *[\"']?(mri|fork)" "$file" || runner=mri
    fi
    if [ -z "$runner" ] && has_gemfile "$app" && command -v ruby >/dev/null; then
        runner=mri
    fi
    case $runner in mri | fork) ;; *) return 1 ;; esac
}

# In or above the folder of the app or the present one.
has_gemfile() { # FOLDER
    local folder
    [ -z "${BUNDLE_GEMFILE:-}" ] || return 0
    for folder in "$(cd "$1" 2>/dev/null && pwd)" "$PWD"; do
        while [ -n "$folder" ]; do
            [ ! -f "$folder/Gemfile" ] || return 0
            folder=${folder%/*}
        done
    done
    return 1
}

# Adds flags of the JVM to the array `flags`. `mawashi config` prints the reason, one sentence for an operator.
because() { # REASON FLAG...
    local reason=$1 flag
    shift
    for flag in "$@"; do
        flags+=("$flag")
        reasons+=$flag": "$reason$'\n'
    done
}

set_flags() { # run | children | demo | bench | commands
    reasons=""
    flags=(
        -XX:+UseCompactObjectHeaders
        -XX:+ExitOnOutOfMemoryError
        --enable-native-access=ALL-UNNAMED
        --sun-misc-unsafe-memory-access=allow
        "-Dmawashi.home=$home"
        # An agent of OpenTelemetry would make a trace of each command that we send to Redis.
        -Dotel.instrumentation.jedis.enabled=false
    )
    case $1 in
    commands) # What counts is the start. The classes of the parser are too old for a cache unless the JVM trusts them.
        flags+=(-Xss2m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 "-Xbootclasspath/a:$parser")
        ;;
    *)
        because "jobs on JRuby recurse as deep as on MRI; a thread takes only what it has used of it" -Xss16m
        because "room for the compiled code of a large app on JRuby; what is unused takes no memory" -XX:ReservedCodeCacheSize=256m
        case $1 in children) set_flags_of_children ;; *) set_flags_of_jruby ;; esac
        # JRuby's needs, also where it is not expected.
        flags+=(
            --add-opens=java.base/java.io=ALL-UNNAMED
            --add-opens=java.base/java.nio.channels=ALL-UNNAMED
            --add-opens=java.base/sun.nio.ch=ALL-UNNAMED
            --add-opens=java.management/sun.management=ALL-UNNAMED
        )
        ;;
    esac
    case $1 in
    run | children | demo)
        flags+=(
            # The boot calls thousands of methods a little too often to be left alone by the second compiler, and
            # none of them will matter. Asking for eight times as many calls leaves it the methods that jobs go
            # through: a million no-op jobs from a cold start take 4.3 s of CPU instead of 5.5 s.
            -XX:Tier4InvocationThreshold=40000
            -XX:Tier4MinInvocationThreshold=10000
            -XX:Tier4CompileThreshold=60000
            -XX:Tier4BackEdgeThreshold=200000
            # A server that mostly waits calls nothing often. The first compiler takes a method after 20 calls, not
            # 200: a job that is pushed to an idle server begins after 1.17 ms instead of 1.38 ms (median), and a
            # million no-op jobs take the same.
            -XX:Tier3InvocationThreshold=20
            -XX:Tier3MinInvocationThreshold=10
            -XX:Tier3CompileThreshold=100
            # JRuby's own call sites in place of the JVM's invokedynamic: what they compile to settles sooner and
            # is less. Jobs that go through three middleware take two thirds of the CPU, with the first job and
            # the millionth; those without any take the same.
            -Djruby.compile.invokedynamic=false
            # Instance variables in an array, not in fields of classes made for them: without invokedynamic JRuby
            # reaches a field through a method handle that the JVM cannot compile into its caller. A job of much
            # code, as apps have it, takes 6 % less CPU.
            -Djruby.reify.variables=false
        )
        ;;
    esac
}

# Of a JVM that runs jobs, or may.
set_flags_of_jruby() {
    because "it takes less CPU, and less memory beside the heap, than the JVM's own choice, G1" -XX:+UseParallelGC
    # With more the JVM takes a gigabyte, and spends more time on touching it than it saves on collections.
    because "jobs leave little behind, so new objects need no more room" -XX:MaxNewSize=48m
}

# Of a JVM that hands jobs to Ruby processes, which are to have the machine's memory. With an archive of its own
# (start-cache.sh) it takes half of what it would with the flags above and JRuby's.
set_flags_of_children() {
    because "the heap of a server whose jobs run in Ruby processes is small, and this collector needs no tables and threads beside it" -XX:+UseSerialGC
    because "payloads pass through quickly, so new objects need no more room" -XX:NewSize=8m -XX:MaxNewSize=8m
    # Else the JVM collects nothing of what is old until it has filled a sixty-fourth of the machine.
    because "what is old is collected before the heap grows" -XX:InitialHeapSize=16m
    because "memory that the start and the compilers needed goes back to the system" -XX:TrimNativeHeapInterval=30000
    # At a place of the JVM's choice all pages of its archive are changed, and so each server's own.
    flags+=(-XX:+UnlockDiagnosticVMOptions -XX:ArchiveRelocationMode=0)
}
