#!/usr/bin/env bash
# Run a Prefect server, its work pool `pagemill` and one worker in the background, on loopback: server.sh up|deploy|status|down
# PAGEMILL_PORT (4200) is the port, and PAGEMILL_RUN_DIR (.run) is the folder of the database, logs and pid files.
# PREFECT_SERVER_DATABASE_CONNECTION_URL (postgresql+asyncpg://user:password@host/database) lets it use PostgreSQL instead of SQLite.
# The server requires a login: PREFECT_SERVER_API_AUTH_STRING (user:password), or one that is made and kept in PAGEMILL_RUN_DIR/login.
# PAGEMILL_RUN_DIR/server.env has its address and that login, for the shell: . .run/server.env
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

run_dir=$(realpath -m "${PAGEMILL_RUN_DIR:-.run}")
prefect=$PWD/.venv/bin/prefect
python=$PWD/.venv/bin/python
port=$(cat "$run_dir/port" 2>/dev/null || echo "${PAGEMILL_PORT:-4200}")
start_seconds=90
stop_seconds=30 # for the server
end_seconds=30 # for a flow run: on a busy machine one needed more than ten to tell the server how it ended
# Workers and their runs know the API only.
without_database=(env)
for name in CONNECTION_URL DRIVER HOST PORT USER NAME PASSWORD; do
  without_database+=(-u "PREFECT_SERVER_DATABASE_$name" -u "PREFECT_API_DATABASE_$name")
done

say() { printf '%s\n' "$*"; }
fail() { printf '%s\n' "$*" >&2; exit 1; }

use_port() {
  port=$1
  export PREFECT_SERVER_API_HOST=127.0.0.1 PREFECT_SERVER_API_PORT=$port PREFECT_API_URL=http://127.0.0.1:$port/api
}

secret() { # NAME: what the file of this name in the private folder holds, random if it is new
  [ -s "$run_dir/$1" ] || (umask 077 && head -c 24 /dev/urandom | base64 -w0 | tr '+/' '-_' >"$run_dir/$1.new" && mv "$run_dir/$1.new" "$run_dir/$1")
  cat "$run_dir/$1"
}

use_login() { # the server's login, which the worker and flow runs need too; and the key for deployments (flows/deploy/guard.py)
  local made
  made=pagemill:$(secret login)
  own_login=${PREFECT_API_AUTH_STRING:-${PREFECT_SERVER_API_AUTH_STRING:-}}
  [ "$own_login" != "$made" ] || own_login='' # as server.env told the shell
  login=${own_login:-$made}
  shown_login=${own_login:+your own}
  shown_login=${shown_login:-$login}
  PAGEMILL_DEPLOYMENT_KEY=$(secret deployment-key)
  export PREFECT_API_AUTH_STRING=$login PREFECT_SERVER_API_AUTH_STRING=$login PAGEMILL_DEPLOYMENT_KEY
  export PREFECT_CLIENT_CUSTOM_HEADERS="{\"X-Pagemill-Deployment-Key\": \"$PAGEMILL_DEPLOYMENT_KEY\"}"
}

keep_address() { # for `pagemill` and for the shell; a login of the user's own is not written down
  (umask 077 && {
    say "export PREFECT_API_URL=http://127.0.0.1:$port/api"
    [ -n "$own_login" ] || say "export PREFECT_API_AUTH_STRING=$login"
  } >"$run_dir/server.env")
}

quiet() {
  export PREFECT_HOME=$run_dir/prefect DO_NOT_TRACK=1 PREFECT_SERVER_ANALYTICS_ENABLED=false
  export PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT=false PREFECT_CLI_PROMPT=false NO_COLOR=1 ORT_DISABLE_TELEMETRY=1
  # In memory, a slot of a corpus that a run held would be taken for good by a server that was killed.
  export PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE=${PREFECT_SERVER_CONCURRENCY_LEASE_STORAGE:-prefect.server.concurrency.lease_storage.filesystem}
  # Runs wait for each other, and for a free place: half an hour is not late.
  export PREFECT_SERVER_SERVICES_LATE_RUNS_AFTER_SECONDS=${PREFECT_SERVER_SERVICES_LATE_RUNS_AFTER_SECONDS:-1800}
  export PREFECT_WORKER_QUERY_SECONDS=${PREFECT_WORKER_QUERY_SECONDS:-3} HF_HUB_DISABLE_TELEMETRY=1
}

# Pid, boot and start time: together they identify one process, even if its pid is used again.
identity() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  read -r -a fields <<<"${stat##*) }"
  [ "${fields[0]}" != Z ] || return 1
  say "$1 $(cat /proc/sys/kernel/random/boot_id) ${fields[19]}"
}

alive() { [ -n "$1" ] && [ "$(identity "${1%% *}")" = "$1" ]; } # IDENTITY

pid_of() { # of server or worker, if the process that `up` started is still alive
  local recorded
  recorded=$(cat "$run_dir/$1.pid" 2>/dev/null) && alive "$recorded" && say "${recorded%% *}"
}

start() {
  local name=$1
  shift
  setsid nohup "$@" </dev/null >"$run_dir/$name.log" 2>&1 9>&- &
  identity $! >"$run_dir/$name.pid"
}

await_end() { # SECONDS IDENTITY: wait; after the time, send SIGKILL to the whole session
  local tick
  for ((tick = 0; tick < $1 * 10; tick++)); do
    alive "$2" || return 0
    sleep 0.1
  done
  ! alive "$2" || kill -KILL -- "-${2%% *}" 2>/dev/null || true
}

# Flow runs that report to our server, in sessions of their own, even if their worker is dead.
flow_runs() {
  local environ pid
  for environ in $(grep -lsaz '^PREFECT__FLOW_RUN_ID=' /proc/[0-9]*/environ); do
    pid=${environ//[!0-9]/}
    if grep -qsazxF "PREFECT_API_URL=http://127.0.0.1:$port/api" "$environ" &&
      tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | grep -qE -- '-m prefect\.(engine|runner\._workspace_supervisor)'; then
      identity "$pid" || true
    fi
  done
}

# Flow runs end before the server stops, so that the server records their end. The worker of Prefect 3.8.8 does not always end
# after it has run a flow. Killing it loses nothing once there are no runs.
stop_worker() {
  local pid run runs=()
  pid=$(pid_of worker) && kill -TERM "$pid" 2>/dev/null || true
  mapfile -t runs < <(flow_runs)
  [ "${#runs[@]}" -eq 0 ] || say "ending ${#runs[@]} flow runs under way, which takes up to $end_seconds seconds"
  for run in "${runs[@]}"; do kill -TERM "${run%% *}" 2>/dev/null || true; done
  for run in "${runs[@]}"; do await_end "$end_seconds" "$run"; done
  end_worker TERM
}

end_worker() { # SIGNAL: the worker alone; its runs are in sessions of their own
  local pid
  if pid=$(pid_of worker); then
    kill "-$1" "$pid" 2>/dev/null || true
    await_end 5 "$(cat "$run_dir/worker.pid")"
    say "stopped the worker (pid $pid)"
  fi
  rm -f "$run_dir/worker.pid"
}

stop_server() {
  local pid
  if pid=$(pid_of server); then
    kill -TERM "$pid" 2>/dev/null || true
    await_end "$stop_seconds" "$(cat "$run_dir/server.pid")"
    say "stopped the server (pid $pid)"
  fi
  rm -f "$run_dir/server.pid"
}

ask() { # PATH: the server's answer to a GET, head and body
  is_ours || return 1
  exec 3<>"/dev/tcp/127.0.0.1/$port" || return 1
  printf 'GET /api/%s HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Basic %s\r\n\r\n' \
    "$1" "$(printf %s "$login" | base64 -w0)" >&3
  timeout 5 cat <&3
}

# Whether only processes of this user listen on the port: nobody else is told the login.
is_ours() {
  cat /proc/net/tcp /proc/net/tcp6 2>/dev/null |
    awk -v port="$(printf ':%04X$' "$port")" -v user="$EUID" '$4 == "0A" && $2 ~ port { $8 == user ? ours++ : others++ } END { exit !ours || others }'
}

port_taken() { (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; }
healthy() { (ask health) 2>/dev/null | grep -q '^HTTP/1.1 200'; }
answers() { # ask several times, because a busy server may need longer than one request waits
  local try
  for try in 1 2 3 4; do
    ! healthy || return 0
    port_taken || return 1
    sleep "$try"
  done
  return 1
}
worker_online() { (ask work_pools/pagemill) 2>/dev/null | grep -q '"status":"READY"'; }

await() { # NAME CHECK: wait until the check succeeds, or the process has died
  local tick
  for ((tick = 0; tick < start_seconds * 5; tick++)); do
    ! "$2" || return 0
    pid_of "$1" >/dev/null || break
    sleep 0.2
  done
  tail -n 20 "$run_dir/$1.log" >&2
  stop_all >&2
  fail "the $1 did not start; its log is $run_dir/$1.log"
}

stop_all() {
  stop_worker
  stop_server
  rm -f "$run_dir/port" "$run_dir/server.env"
}

up() {
  local wanted=${PAGEMILL_PORT:-4200}
  if pid_of server >/dev/null && [ "$port" != "$wanted" ] && [ -n "${PAGEMILL_PORT:-}" ]; then
    fail "already running on port $port: run make down, then make up PAGEMILL_PORT=$wanted"
  fi
  if ! pid_of server >/dev/null; then
    use_port "$wanted"
    ! port_taken || fail "port $port is taken by another program: choose another, such as make up PAGEMILL_PORT=$((port + 1))"
    end_worker KILL # one that outlived its server; runs under way go on, and find the new server
    say "starting a Prefect server on port $port, which takes about 15 seconds; its log is $run_dir/server.log"
    start server "$python" -m flows.deploy.local_server
    say "$port" >"$run_dir/port"
  fi
  use_port "$port"
  await server healthy
  keep_address
  if ! pid_of worker >/dev/null; then
    say "starting a worker, which takes about 10 seconds; its log is $run_dir/worker.log"
    start worker "${without_database[@]}" "$prefect" worker start --pool pagemill --type process --name local --limit 2
  fi
  await worker worker_online
  status
}

status() {
  local name running=0
  for name in server worker; do
    if pid_of "$name" >/dev/null; then
      say "$name: running, pid $(pid_of "$name"), log $run_dir/$name.log"
    else
      say "$name: not running"
      running=1
    fi
  done
  say "processes that read documents: $("$python" -c 'from tasks.workers.pool import describe_worker_network as n; print(n())')"
  [ "$running" -ne 0 ] || say "UI: http://127.0.0.1:$port    login: $shown_login    commands: . $run_dir/server.env"
  return "$running"
}

deploy() {
  answers || fail "no server answers on port $port: run make up first"
  use_port "$port"
  "$python" -m flows.deploy || exit 1
}

mkdir -p "$run_dir"
chmod 700 "$run_dir"
quiet
use_login
exec 9>"$run_dir/server.lock"
flock 9
case ${1:-} in
  up) up ;;
  deploy) deploy ;;
  status) status ;;
  down) stop_all ;;
  *) fail "usage: deployments/server.sh up|deploy|status|down" ;;
esac
