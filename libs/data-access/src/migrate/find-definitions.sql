-- Number of functions of the schema with each of the names $1.
SELECT proname AS name, count(*)::int AS definitions
FROM pg_proc
WHERE pronamespace = current_schema()::regnamespace AND proname = ANY ($1::name[])
GROUP BY proname
