#!/usr/bin/env bash
# A small cluster on one machine: network namespaces as nodes, joined by links
# of a given rate, and OpenMPI over TCP between them. Ranks of one node
# communicate through shared memory, so the links between nodes are really
# slower; if INSIDE is given, they share a loopback of that rate instead.
#
#   cluster.sh up NODES RATE [INSIDE]
#                                   RATE as tc takes it, such as 400mbit, or one
#                                   for each node: 400mbit,400mbit,100mbit
#   cluster.sh run RANKS COMMAND... RANKS processes, as many on each node
#   cluster.sh status
#   cluster.sh down
#
# Requires root, the right to create namespaces, iproute2 and OpenMPI. Exit code
# 0: done; 1: the command failed; 2: wrong use; 77: not permitted or not
# installed here. Does not change anything outside the namespaces. Their
# addresses, 10.213.0.0/24, can only be reached from inside.
set -euo pipefail

prefix=moe-node
switch=moe-switch
network=10.213.0
state=/run/moe-cluster
# Messages up to this size are sent eagerly. With OpenMPI's limit of 64 KiB,
# both ends have to poll in the middle of a larger message, so links would idle
# while ranks share cores. These links must move data on their own, as a real
# cluster's links do.
eager=41943040

fail() {
  echo "cluster.sh: $*" >&2
  exit 2
}

skip() {
  echo "cluster.sh: $*" >&2
  exit 77
}

usage() {
  sed -n '2,20s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}

# Prints the namespaces of the cluster, one per line.
namespaces() {
  ip netns list 2>/dev/null | awk '{print $1}' |
    grep -E "^($switch|$prefix[0-9]+)$" || true
}

down() {
  # The pairs of links vanish with their namespaces. Processes that still run
  # inside would keep them alive.
  local name
  for name in $(namespaces); do
    ip netns pids "$name" | xargs -r kill -9
    ip netns del "$name"
  done
  rm -rf "$state"
}

# Limits one end of a link between a node and the switch. A burst must be small
# compared with any message, because otherwise short messages would seem to have
# faster links.
limit() {
  ip netns exec "$1" tc qdisc add dev "$2" root tbf rate "$3" burst 16kb \
    latency 500ms
}

up() {
  local nodes=$1 rate=$2 inside=${3:-} rates i
  [[ $nodes =~ ^[2-9]$ ]] || fail "expected 2 to 9 nodes, got '$nodes'"
  [[ $rate =~ ^([1-9][0-9]*(kbit|mbit|gbit),)*[1-9][0-9]*(kbit|mbit|gbit)$ ]] ||
    fail "expected a rate such as 400mbit, or one for each node, got '$rate'"
  [[ -z $inside || $inside =~ ^[1-9][0-9]*(kbit|mbit|gbit)$ ]] ||
    fail "expected a rate inside of nodes such as 400mbit, got '$inside'"
  IFS=, read -ra rates <<<"$rate"
  if ((${#rates[@]} == 1)); then
    for ((i = 1; i < nodes; ++i)); do rates+=("$rate"); done
  fi
  ((${#rates[@]} == nodes)) ||
    fail "expected one rate or $nodes, got ${#rates[@]}: '$rate'"
  [[ -z $(namespaces) ]] || fail "a cluster is up: take it down first"
  command -v ip >/dev/null && command -v tc >/dev/null ||
    skip "expected ip and tc, found none: install iproute2"
  ip netns add "$switch" 2>/dev/null ||
    skip "not permitted to make network namespaces here"
  trap down ERR
  ip -n "$switch" link add br0 type bridge
  ip -n "$switch" link set br0 up
  for ((i = 0; i < nodes; ++i)); do
    ip netns add "$prefix$i"
    ip -n "$prefix$i" link set lo up
    if [[ -n $inside ]]; then
      # A packet longer than a burst would never be sent.
      ip -n "$prefix$i" link set lo mtu 1500
      limit "$prefix$i" lo "$inside"
    fi
    ip -n "$prefix$i" link add eth0 type veth peer name "port$i" netns "$switch"
    ip -n "$switch" link set "port$i" master br0 up
    ip -n "$prefix$i" addr add "$network.$((i + 1))/24" dev eth0
    ip -n "$prefix$i" link set eth0 up
    limit "$prefix$i" eth0 "${rates[i]}"
    limit "$switch" "port$i" "${rates[i]}"
  done
  trap - ERR
  mkdir -p "$state"
  echo "$nodes $rate $inside" >"$state/shape"
  # mpirun starts its helpers on other nodes with this instead of ssh.
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
}

run() {
  local ranks=$1 nodes rate inside ways=self,vader,tcp i
  shift
  [[ -r $state/shape ]] || fail "no cluster is up: cluster.sh up NODES RATE"
  read -r nodes rate inside <"$state/shape"
  [[ -z $inside ]] || ways=self,tcp
  [[ $ranks =~ ^[1-9][0-9]*$ ]] && ((ranks % nodes == 0)) ||
    fail "expected a multiple of $nodes ranks, got '$ranks'"
  command -v mpirun >/dev/null || skip "expected mpirun: install openmpi-bin"
  for ((i = 0; i < nodes; ++i)); do
    echo "$prefix$i slots=$((ranks / nodes))"
    echo "$network.$((i + 1)) $prefix$i" >&3
  done >"$state/hosts" 3>"$state/names"
  # The agent resolves names itself, so mpirun only needs the names of this
  # file.
  exec ip netns exec "${prefix}0" unshare --uts --mount bash -c '
    set -euo pipefail
    hostname "$1"; names=$2; shift 2
    cat /etc/hosts "$names" >"$names.all"
    mount --bind "$names.all" /etc/hosts
    exec "$@"' cluster "${prefix}0" "$state/names" \
    mpirun --allow-run-as-root --oversubscribe -np "$ranks" \
    --hostfile "$state/hosts" --map-by slot --bind-to none \
    --mca plm rsh --mca plm_rsh_agent "$state/agent" \
    --mca plm_rsh_no_tree_spawn 1 \
    --mca oob_tcp_if_include "$network.0/24" \
    --mca btl "$ways" --mca btl_tcp_if_include "$network.0/24" \
    --mca pml ob1 --mca mpi_yield_when_idle 1 \
    --mca btl_tcp_eager_limit "$eager" --mca btl_tcp_rndv_eager_limit "$eager" \
    --mca btl_tcp_max_send_size "$eager" \
    --mca btl_tcp_free_list_num 1 --mca btl_tcp_free_list_inc 1 "$@"
}

status() {
  if [[ ! -r $state/shape ]]; then
    echo "no cluster is up"
    return
  fi
  local nodes rate inside
  read -r nodes rate inside <"$state/shape"
  echo "$nodes nodes${inside:+ with $inside inside}, links of $rate"
}

case ${1:-} in
up) (($# == 3 || $# == 4)) || usage; up "${@:2}" ;;
run) (($# >= 3)) || usage; shift; run "$@" ;;
status) (($# == 1)) || usage; status ;;
down) (($# == 1)) || usage; down ;;
*) usage ;;
esac
