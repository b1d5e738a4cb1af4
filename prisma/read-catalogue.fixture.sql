-- Every column of our own tables as `table.column type [null] [default]`, and every index that is not on an expression as
-- `index name`. Partitions repeat their parents and are left out.
WITH tables AS (
  SELECT c.oid, c.relname
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
)
SELECT
  format('%s.%s %s', t.relname, a.attname, format_type(a.atttypid, NULL))
    || CASE WHEN a.attnotnull THEN '' ELSE ' null' END
    || CASE WHEN a.atthasdef THEN ' default' ELSE '' END AS line
FROM tables t
JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
UNION ALL
SELECT format('index %s', i.indexrelid::regclass)
FROM tables t
JOIN pg_index i ON i.indrelid = t.oid
WHERE i.indexprs IS NULL AND NOT i.indisprimary
ORDER BY 1
