#!/usr/bin/env bash
# Starts PgBouncer with the addresses and passwords from the environment:
#
#   POSTGRES_HOST, POSTGRES_PORT (5432), POSTGRES_DATABASE (spooled)
#   POSTGRES_TLS (verify-full)   disable, prefer, require, verify-ca or verify-full; the last two require POSTGRES_TLS_CA_FILE,
#     the certificate authority of PostgreSQL; the others accept any server
#   SPOOLED_APP_PASSWORD, SPOOLED_SYSTEM_PASSWORD   for the logins spooled_app and spooled_system
#   SPOOLED_APP_NEXT_PASSWORD, SPOOLED_SYSTEM_NEXT_PASSWORD   optional, for the second logins spooled_app_next, spooled_system_next
#   PGBOUNCER_RUN_DIR (/tmp/pgbouncer)   for the files with the passwords; use memory or an emptyDir
#   PGBOUNCER_APP_CONNECTIONS (80), PGBOUNCER_SYSTEM_CONNECTIONS (20)   maximum connections to PostgreSQL per login
#
# Maintenance has its own share, so that a peak of requests cannot block the recovery of expired leases. With several
# PgBouncers divide the shares among them: PostgreSQL's max_connections must exceed the sum by a few.
set -euo pipefail
umask 077

settings=${1:-/etc/spooled/pgbouncer.ini}
for name in POSTGRES_HOST SPOOLED_APP_PASSWORD SPOOLED_SYSTEM_PASSWORD; do
  [[ -n ${!name:-} ]] || { echo "pgbouncer cannot start: $name is not set" >&2; exit 1; }
done

tls=${POSTGRES_TLS:-verify-full}
if [[ $tls == verify-* && ! -r ${POSTGRES_TLS_CA_FILE:-} ]]; then
  echo "pgbouncer cannot start: POSTGRES_TLS=$tls needs a readable POSTGRES_TLS_CA_FILE, but it is \"${POSTGRES_TLS_CA_FILE:-}\"" >&2
  exit 1
fi

quoted() { printf '"%s"' "${1//\"/\"\"}"; }

run_dir=${PGBOUNCER_RUN_DIR:-/tmp/pgbouncer}
mkdir -p "$run_dir"
# The settings name the files without a folder, so they are resolved from here.
cd "$run_dir"
app=${PGBOUNCER_APP_CONNECTIONS:-80}
system=${PGBOUNCER_SYSTEM_CONNECTIONS:-20}
cat >databases.ini <<END
[databases]
${POSTGRES_DATABASE:-spooled} = host=$POSTGRES_HOST port=${POSTGRES_PORT:-5432}

[users]
spooled_app = max_user_connections=$app
spooled_system = max_user_connections=$system
spooled_app_next = max_user_connections=$app
spooled_system_next = max_user_connections=$system
END
# No section: see pgbouncer.ini.
cat >settings.ini <<END
; Both logins of a role together stay within its share: an idle connection of one makes room for the other.
max_db_connections = $((app + system))
server_tls_sslmode = $tls
${POSTGRES_TLS_CA_FILE:+server_tls_ca_file = $POSTGRES_TLS_CA_FILE}
END
cat >userlist.txt <<END
"spooled_app" $(quoted "$SPOOLED_APP_PASSWORD")
"spooled_system" $(quoted "$SPOOLED_SYSTEM_PASSWORD")
END
for login in app system; do
  next=SPOOLED_${login^^}_NEXT_PASSWORD
  [[ -z ${!next:-} ]] || printf '"spooled_%s_next" %s\n' "$login" "$(quoted "${!next}")" >>userlist.txt
done

exec pgbouncer "$settings"
