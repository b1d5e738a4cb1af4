-- Sessions of the browser console. Services of the previous version know neither table.

-- Writer: gateway. A link that begins a session, until it is used or ten minutes have passed. Only the hash of its code is stored.
CREATE TABLE console_logins (
  code_hash text PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations ON DELETE CASCADE,
  api_key_id uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX console_logins_organization ON console_logins (organization_id);
CREATE INDEX console_logins_api_key ON console_logins (api_key_id);
CREATE INDEX console_logins_expires_at ON console_logins (expires_at);
SELECT protect_tenant_table('console_logins');

-- Writer: gateway. Open sessions of the administrator, who belongs to no organization; a logout deletes the row.
CREATE TABLE administrator_sessions (
  session_id uuid PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX administrator_sessions_expires_at ON administrator_sessions (expires_at);
GRANT SELECT, INSERT, DELETE ON administrator_sessions TO spooled_system;
