/* @name lockActiveSchedules */
-- Serializes transactions that count and then activate schedules; held until the transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended(:organizationId!::text || ':schedules', 0)) AS done;

/* @name countActiveSchedules */
SELECT count(*) AS "active!" FROM schedules WHERE organization_id = :organizationId! AND is_active;
