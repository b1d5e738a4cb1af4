/* @name extendLeases */
-- Writes into rows how long leases last that were renewed without them, up to the end of the attempt. The jobs are locked by this
-- transaction.
-- Relies on: job_queue primary key.
UPDATE job_queue q SET lease_expires_at = least(
  current_ts(clock_timestamp()) + leases.left_ms * interval '1 millisecond', q.started_at + make_interval(secs => q.timeout_seconds + 1))
FROM unnest(:ids!::uuid[], :leftMs!::float8[]) AS leases(job_id, left_ms)
WHERE q.job_id = leases.job_id;
