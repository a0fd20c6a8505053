# Sourced by ./mawashi: mawashi health, a probe. It starts no JVM and asks no Redis: an outage of Redis is no reason
# to start servers anew. Each server writes a file every few seconds that says whether it can run jobs.

# Prints a line for each server of this machine or container whose files this user may read: all of them, or the one
# with that process id. Returns 0 when there is one and all can run jobs, else 1.
show_health() { # [PID]
    local wanted=${1:-} temporary=/tmp file folder pid line found=0 sick=0
    case ${TMPDIR:-} in /*) temporary=$TMPDIR ;; esac
    # After a restart the process that a supervisor knows only waits for the server, whose id is in its folder.
    for file in "$temporary"/mawashi-*/"${wanted:-none}"-*/server; do
        read -r line 2>/dev/null <"$file" && wanted=$line
    done
    for file in "$temporary"/mawashi-*/*/health; do
        folder=${file%/health}
        pid=${folder##*/}
        pid=${pid%%-*}
        [ -z "$wanted" ] || [ "$pid" = "$wanted" ] || continue
        # Of one that was killed, or has ended meanwhile.
        kill -0 "$pid" 2>/dev/null && read -r line 2>/dev/null <"$file" || continue
        found=1
        # Written every 5 s.
        [ -n "$(find "$file" -mmin -1 2>/dev/null)" ] || line="hangs: it has said nothing for a minute"
        echo "$pid $line"
        [ "$line" = ok ] || sick=1
    done
    if [ "$found" = 0 ]; then
        echo "mawashi: no server${wanted:+ with process id $wanted} works here yet, or any more (its files are in $temporary)" >&2
        return 1
    fi
    return "$sick"
}
