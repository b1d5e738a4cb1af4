-- Writer: scheduler and gateway. Checks that tenants are isolated in this database, no tenant data; the newest 30. Only for
-- spooled_system: requests of tenants have no business with them.
CREATE TABLE isolation_checks (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  started_at timestamptz NOT NULL,
  finished_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Of the service that checked.
  version text NOT NULL,
  passed boolean NOT NULL,
  tables_checked integer NOT NULL,
  -- [{table, problem}]; table is null for what concerns a role, a view or a function.
  findings jsonb NOT NULL,
  -- Tables that were locked, or for which there was no time.
  tables_not_checked text[] NOT NULL
);
GRANT SELECT, INSERT, DELETE ON isolation_checks TO spooled_system;
