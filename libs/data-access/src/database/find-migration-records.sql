-- Whether the tables of applied migrations and of installed functions exist. Any role may ask.
SELECT count(*) = 2 AS exist FROM pg_class
WHERE relnamespace = current_schema()::regnamespace AND relname IN ('_prisma_migrations', 'repeatable_migrations')
