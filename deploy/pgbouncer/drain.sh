#!/usr/bin/env bash
# Moves clients to the other PgBouncers before the stop signal: drain.sh [<process, default 1>]
#
# From the stop signal on, transactions that begin wait until the open ones have ended. Those that hold a scheduler's locks stay open for
# up to a minute, and the others would reach their time limit of 3 s. So idle clients are disconnected, and so is one whose transaction
# has waited for a second: nothing of it has run, and it connects elsewhere.
# Version 1.23 does the second by itself.
set -euo pipefail
printf 'client_idle_timeout = 1\nquery_wait_timeout = 1\n' >>"${PGBOUNCER_RUN_DIR:-/tmp/pgbouncer}/settings.ini"
kill -HUP "${1:-1}"
