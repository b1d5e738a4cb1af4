-- Database functions have files of their own (libs/*/src/**/<function>_v<N>.sql) and are installed whenever their text has changed.
-- This table says which text each function has. Writer: the migration runner; no service may read or write it.
CREATE TABLE repeatable_migrations (
  -- The function's name.
  name text PRIMARY KEY,
  -- SHA-256 of the file.
  checksum text NOT NULL,
  installed_at timestamptz NOT NULL DEFAULT now()
);
