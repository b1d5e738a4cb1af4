/* @name extendLeases */
-- Writes into rows how long leases last that were renewed without them. The jobs are locked by this transaction.
-- Relies on: job_queue primary key.
UPDATE job_queue q SET lease_expires_at = clock_timestamp() + leases.left_ms * interval '1 millisecond'
FROM unnest(:ids!::uuid[], :leftMs!::float8[]) AS leases(job_id, left_ms)
WHERE q.job_id = leases.job_id;
