-- The partitions of a table, the name of an index on each, and whether that index is the rest of an interrupted build; none when the table
-- itself has the index.
--   $1 table · $2 index · $3 length of the longest name
SELECT quote_ident(c.relname) AS partition, quote_ident(named.index) AS index,
  EXISTS (SELECT FROM pg_index i WHERE i.indexrelid = to_regclass(quote_ident(named.index)) AND NOT i.indisvalid) AS invalid
FROM pg_inherits h
JOIN pg_class c ON c.oid = h.inhrelid
CROSS JOIN LATERAL (SELECT left(c.relname || '_' || $2::text, $3::int) AS index) AS named
WHERE h.inhparent = to_regclass(quote_ident($1::text)) AND to_regclass(quote_ident($2::text)) IS NULL
ORDER BY c.relname
