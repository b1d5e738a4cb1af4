/* @name findLeases */
-- The current leases of these jobs; `held`: their rows have not expired.
-- Relies on the primary key of job_queue.
SELECT job_id, lease_id AS "lease_id!", lease_expires_at > current_ts() AS "held!"
FROM job_queue
WHERE organization_id = :organizationId! AND job_id = ANY (:ids!) AND state = 'leased';
