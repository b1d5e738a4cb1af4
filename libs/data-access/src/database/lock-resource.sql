/* @name lockResource */
-- Serializes transactions that count and then create a resource of the organization; held until the transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended(:organizationId!::text || ':' || :resource!::text, 0)) AS done;
