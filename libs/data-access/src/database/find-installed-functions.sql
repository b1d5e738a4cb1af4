-- The functions named $1: whether each exists, and which text the migration runner installed last.
SELECT wanted.name, recorded.checksum, recorded.release,
  EXISTS (SELECT FROM pg_proc WHERE proname = wanted.name AND pronamespace = current_schema()::regnamespace) AS "exists"
FROM unnest($1::text[]) AS wanted (name)
LEFT JOIN repeatable_migrations AS recorded USING (name)
ORDER BY wanted.name
