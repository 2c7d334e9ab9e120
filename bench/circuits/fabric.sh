#!/usr/bin/env bash
# A region of servers on one machine: network namespaces, each with a link of a
# given rate to a bridge (EPS) and several links to an optical switch, which is
# a namespace that joins its ports in pairs.
#
#   fabric.sh up SERVERS DEGREE RATE   RATE in Mbit/s of each link
#   fabric.sh join [IN,OUT...]         these circuits and no others
#   fabric.sh run COMMAND...           a process on each server, by OpenMPI
#   fabric.sh down
#
# Optical NIC k of server i, from 0, has port 1 + i * DEGREE + k.
# moert-ocs-switch calls `join` on each change (--on-change): it joins the ports
# and moves the hosts' routes, so that open connections move to circuits and
# back. A route has one path, so a pair with several circuits uses its first
# one, at the rate of all. Servers have address 10.214.0.(1 + i). `run` starts
# rank i on server i; TCP between ranks uses only these routes.
#
# Requires root, the right to create namespaces, and iproute2. Exit code 0:
# done; 1: a command failed; 2: wrong use; 77: not permitted or not installed
# here.
set -euo pipefail

prefix=moe-srv
eps=moe-eps
ocs=moe-ocs
network=10.214.0
state=/run/moe-fabric

skip() {
  echo "fabric.sh: $*" >&2
  exit 77
}

fail() {
  echo "fabric.sh: $*" >&2
  exit 2
}

namespaces() {
  ip netns list 2>/dev/null | awk '{print $1}' |
    grep -E "^($eps|$ocs|$prefix[0-9]+)$" || true
}

down() {
  local name
  for name in $(namespaces); do
    # Processes that still run inside would keep them alive.
    ip netns pids "$name" | xargs -r kill -9
    ip netns del "$name"
  done
  rm -rf "$state"
}

# A burst is small compared with any message.
tbf() {
  echo "root handle 1: tbf rate ${1}mbit burst 32kb latency 200ms"
}

up() {
  local servers=$1 degree=$2 rate=$3 i j k port
  [[ $servers =~ ^[2-8]$ ]] || fail "expected 2 to 8 servers, got '$servers'"
  [[ $degree =~ ^[1-6]$ ]] || fail "expected 1 to 6 optical NICs, got '$degree'"
  [[ $rate =~ ^[1-9][0-9]{0,3}$ ]] || fail "expected Mbit/s, got '$rate'"
  [[ -z $(namespaces) ]] || fail "a fabric is up: take it down first"
  command -v ip >/dev/null && command -v tc >/dev/null ||
    skip "expected ip and tc, found none: install iproute2"
  ip netns add "$eps" 2>/dev/null ||
    skip "not permitted to make network namespaces here"
  trap down ERR
  ip netns add "$ocs"
  ip -n "$eps" link add br0 type bridge
  ip -n "$eps" link set br0 up
  for ((i = 0; i < servers; ++i)); do
    ip netns add "$prefix$i"
    # Replies may come over another link than requests.
    ip netns exec "$prefix$i" sysctl -qw net.ipv4.conf.all.rp_filter=0 \
      net.ipv4.conf.default.rp_filter=0
    ip -n "$prefix$i" link set lo up
    ip -n "$prefix$i" link add eth0 address "02:00:00:00:00:0$i" \
      type veth peer name "port$i" netns "$eps"
    ip -n "$eps" link set "port$i" master br0 up
    # The same address on all links, because routes select the link.
    ip -n "$prefix$i" addr add "$network.$((i + 1))/24" dev eth0
    ip -n "$prefix$i" link set eth0 up
    tc -n "$prefix$i" qdisc add dev eth0 $(tbf "$rate")
    tc -n "$eps" qdisc add dev "port$i" $(tbf "$rate")
    for ((k = 0; k < degree; ++k)); do
      port=$((1 + i * degree + k))
      ip -n "$prefix$i" link add "opt$k" address "02:00:00:00:01:0$i" \
        type veth peer name "p$port" netns "$ocs"
      # Bridges a port with another one.
      ip -n "$ocs" link add "x$port" type bridge
      ip -n "$ocs" link set "x$port" up
      ip -n "$ocs" link set "p$port" up
      ip -n "$prefix$i" link set "opt$k" up
      tc -n "$prefix$i" qdisc add dev "opt$k" $(tbf "$rate")
    done
    # All neighbors are static, so that no ARP request or stale entry occurs.
    for ((j = 0; j < servers; ++j)); do
      ((j == i)) && continue
      ip -n "$prefix$i" neigh add "$network.$((j + 1))" dev eth0 \
        lladdr "02:00:00:00:00:0$j"
      ip -n "$prefix$i" route add "$network.$((j + 1))/32" dev eth0 \
        src "$network.$((i + 1))"
      for ((k = 0; k < degree; ++k)); do
        ip -n "$prefix$i" neigh add "$network.$((j + 1))" dev "opt$k" \
          lladdr "02:00:00:00:01:0$j"
      done
    done
  done
  trap - ERR
  mkdir -p "$state"
  echo "$servers $degree $rate" >"$state/shape"
}

# Collects all commands of a namespace in one batch, i.e. one process.
join() {
  [[ -r $state/shape ]] || fail "no fabric is up"
  local servers degree rate i j pair in out
  read -r servers degree rate <"$state/shape"
  local -A count=() first=()
  local -a routes limits
  local -A bridge=()
  for pair in "$@"; do
    [[ $pair =~ ^([0-9]+),([0-9]+)$ ]] || fail "expected IN,OUT, got '$pair'"
    in=${BASH_REMATCH[1]} out=${BASH_REMATCH[2]}
    ((in >= 1 && in <= servers * degree && out >= 1 &&
      out <= servers * degree)) || fail "expected ports of servers, got '$pair'"
    bridge[$in]=x$in bridge[$out]=x$in
    i=$(((in - 1) / degree)) j=$(((out - 1) / degree))
    for key in "$i $j $in" "$j $i $out"; do
      count[${key% *}]=$((${count[${key% *}]:-0} + 1))
      first[${key% *}]=${first[${key% *}]:-$(((${key##* } - 1) % degree))}
    done
  done
  for ((i = 0; i < servers; ++i)); do
    for ((j = 0; j < servers; ++j)); do
      ((j == i)) && continue
      local nic=eth0 key="$i $j"
      if [[ -n ${count[$key]:-} ]]; then
        nic=opt${first[$key]}
        limits[i]+="qdisc replace dev $nic $(tbf $((rate * count[$key])))"$'\n'
      fi
      routes[i]+="route replace $network.$((j + 1))/32 dev $nic src $network.$((i + 1))"$'\n'
    done
  done
  # Ports leave their bridges before others join.
  for ((i = 1; i <= servers * degree; ++i)); do
    [[ -n ${bridge[$i]:-} ]] || echo "link set p$i nomaster"
  done >"$state/ports"
  for i in "${!bridge[@]}"; do
    echo "link set p$i master ${bridge[$i]}"
  done >>"$state/ports"
  ip -n "$ocs" -batch "$state/ports"
  for ((i = 0; i < servers; ++i)); do
    [[ -z ${limits[i]:-} ]] || tc -n "$prefix$i" -batch - <<<"${limits[i]}"
    ip -n "$prefix$i" -batch - <<<"${routes[i]}"
  done
}

# As in bench/cluster/cluster.sh, messages are sent eagerly, so that links move
# data on their own while ranks share cores.
run() {
  [[ -r $state/shape ]] || fail "no fabric is up"
  command -v mpirun >/dev/null || skip "expected mpirun: install openmpi-bin"
  local servers degree rate i eager=41943040
  read -r servers degree rate <"$state/shape"
  for ((i = 0; i < servers; ++i)); do
    echo "$prefix$i slots=1"
    echo "$network.$((i + 1)) $prefix$i" >&3
  done >"$state/hosts" 3>"$state/names"
  cat >"$state/agent" <<'AGENT'
#!/usr/bin/env bash
set -euo pipefail
while [[ $1 == -* ]]; do shift; done
node=$1
shift
# OpenMPI tells nodes apart by their host names.
exec ip netns exec "$node" unshare --uts \
  bash -c 'hostname "$0"; exec bash -c "$1"' "$node" "$*"
AGENT
  chmod +x "$state/agent"
  exec ip netns exec "${prefix}0" unshare --uts --mount bash -c '
    set -euo pipefail
    hostname "$1"; names=$2; shift 2
    cat /etc/hosts "$names" >"$names.all"
    mount --bind "$names.all" /etc/hosts
    exec "$@"' fabric "${prefix}0" "$state/names" \
    mpirun --allow-run-as-root --oversubscribe -np "$servers" \
    --hostfile "$state/hosts" --map-by slot --bind-to none \
    --mca plm rsh --mca plm_rsh_agent "$state/agent" \
    --mca plm_rsh_no_tree_spawn 1 \
    --mca oob_tcp_if_include "$network.0/24" \
    --mca btl self,tcp --mca btl_tcp_if_include "$network.0/24" \
    --mca pml ob1 --mca mpi_yield_when_idle 1 \
    --mca btl_tcp_eager_limit "$eager" --mca btl_tcp_rndv_eager_limit "$eager" \
    --mca btl_tcp_max_send_size "$eager" \
    --mca btl_tcp_free_list_num 1 --mca btl_tcp_free_list_inc 1 "$@"
}

case ${1:-} in
up) (($# == 4)) || fail "expected up SERVERS DEGREE RATE"; up "$2" "$3" "$4" ;;
join) shift; join "$@" ;;
run) shift; (($# > 0)) || fail "expected a command"; run "$@" ;;
down) (($# == 1)) || fail "expected down"; down ;;
*) sed -n '2,21s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2; exit 2 ;;
esac
