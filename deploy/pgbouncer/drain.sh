#!/usr/bin/env bash
# Moves clients to the other PgBouncers before the stop signal: drain.sh [<process, default 1>]
#
# From the stop signal on, transactions that begin wait until the open ones have ended. A transaction may be open for the work of others:
# a scheduler's lock is one, and its work would wait behind it until the client's time limit of 3 s, with all other clients. So idle
# clients are disconnected, and so is one whose transaction has waited for a second: nothing of it has run, and it connects elsewhere.
# Version 1.23 does the second by itself.
set -euo pipefail
printf 'client_idle_timeout = 1\nquery_wait_timeout = 1\n' >>"${PGBOUNCER_RUN_DIR:-/tmp/pgbouncer}/settings.ini"
kill -HUP "${1:-1}"
