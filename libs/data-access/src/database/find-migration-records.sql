-- Whether the tables of applied migrations and of installed functions exist. Any role may ask.
SELECT to_regclass('public._prisma_migrations') IS NOT NULL AND to_regclass('public.repeatable_migrations') IS NOT NULL AS exist
