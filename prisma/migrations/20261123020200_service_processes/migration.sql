-- The processes of the services, no tenant data: each writes its own row while it runs and deletes it when it stops. Rows of processes
-- that were killed are deleted after an hour by the others.
CREATE TABLE service_processes (
  id uuid PRIMARY KEY,
  service text NOT NULL,
  version text NOT NULL,
  host text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  seen_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE, DELETE ON service_processes TO spooled_app, spooled_system;
