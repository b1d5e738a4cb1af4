#!/usr/bin/env bash
# Runs once, when the data folder of the bundled PostgreSQL is new: creates the owner of the database. It is not a
# superuser and may create roles, as on a managed PostgreSQL. SPOOLED_OWNER_PASSWORD: its password.
# Must not affect the shell of the image, which sources this file if it is not executable.
set -eo pipefail

psql --username "$POSTGRES_USER" --set ON_ERROR_STOP=1 --set password="${SPOOLED_OWNER_PASSWORD:?is not set}" <<'END'
CREATE ROLE spooled_owner LOGIN CREATEROLE PASSWORD :'password';
CREATE DATABASE spooled OWNER spooled_owner;
\connect spooled
-- Only a superuser may: large objects are not subject to row-level security and can fill the disk.
REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC;
END
