#!/usr/bin/env bash
# Runs once, when the data folder of the bundled PostgreSQL is new: makes the owner of the database. It is no superuser
# and may create roles, which is what a managed PostgreSQL would give for migrations. SPOOLED_OWNER_PASSWORD: its password.
# Nothing here that would disturb the shell of the image, which reads this file itself where it is not executable.
set -eo pipefail

psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set password="${SPOOLED_OWNER_PASSWORD:?is not set}" <<'END'
CREATE ROLE spooled_owner LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE spooled OWNER spooled_owner;
END
