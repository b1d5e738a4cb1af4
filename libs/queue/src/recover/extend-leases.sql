-- Writes into rows how long leases last that were renewed without them. $1 jobs (locked by this transaction), $2 ms left of each.
-- Relies on: job_queue primary key.
UPDATE job_queue q SET lease_expires_at = clock_timestamp() + living.left_ms * interval '1 millisecond'
FROM unnest($1::uuid[], $2::float8[]) AS living(job_id, left_ms)
WHERE q.job_id = living.job_id
