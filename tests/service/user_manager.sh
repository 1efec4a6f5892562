# Runs a script as an unprivileged user under a systemd user manager of its own; needs root, and namespaces that
# only this process tree is in:  unshare -n -m -p -C --fork --mount-proc bash user_manager.sh SCRIPT KEPT…
# KEPT are folders that user must be able to reach, wherever they lie. What is mounted goes with the namespace.
set -eu
user=65534
script=$1
shift
readarray -t kept < <(printf '%s\n' "$@" | sort) # an outer folder before those in it

mount --make-rprivate /
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /mnt
mount -t cgroup2 none /sys/fs/cgroup
export HOME=/mnt/home XDG_RUNTIME_DIR=/run/user/$user SYSTEMD_COLORS=0 LC_ALL=C.UTF-8
mkdir -p /run/systemd/system /run/systemd/unit-root "$HOME" "$XDG_RUNTIME_DIR" /sys/fs/cgroup/navlog-test
chmod 700 "$XDG_RUNTIME_DIR"
chown -R $user:$user "$HOME" /run/user /sys/fs/cgroup/navlog-test
echo $$ > /sys/fs/cgroup/navlog-test/cgroup.procs

as_user() { setpriv --reuid=$user --regid=$user --clear-groups --inh-caps=-all "$@"; }

# An interpreter below a closed folder (/root/…) is shown through an open one of the same name.
count=0
for folder in "${kept[@]}"; do
    count=$((count + 1))
    mkdir "/mnt/kept-$count"
    mount --bind "$folder" "/mnt/kept-$count"
done
for folder in "${kept[@]}"; do
    above=$folder
    while [ "$above" != / ]; do
        above=$(dirname "$above")
        [ -e "$above" ] || continue # in one that is hidden by now
        as_user sh -c "test -x '$above'" || { closed=$above; mount -t tmpfs -o mode=755 tmpfs "$closed"; }
    done
done
count=0
for folder in "${kept[@]}"; do
    count=$((count + 1))
    [ -e "$folder" ] || { mkdir -p "$folder"; mount --bind "/mnt/kept-$count" "$folder"; }
done

as_user /lib/systemd/systemd --user --log-target=console --log-level=info 2> /mnt/manager.log &
for _ in $(seq 100); do
    [ -S "$XDG_RUNTIME_DIR/systemd/private" ] && break
    sleep 0.05
done
cd "$HOME"
as_user bash -euc "$script"
