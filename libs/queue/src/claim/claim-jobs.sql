/* @name claimJobs */
-- Without a command number a row is a due job that the claim made pending on the way. Without a job it is a claim that was put off.
SELECT
  command, part AS "part!", job_id, queue_name AS "queue_name!", payload AS "payload!", priority AS "priority!",
  retry_count AS "retry_count!", max_retries AS "max_retries!", timeout_seconds AS "timeout_seconds!", lease_id AS "lease_id!",
  lease_expires_at AS "lease_expires_at!", created_at AS "created_at!", scheduled_at, started_at AS "started_at!", idempotency_key,
  traceparent, worker_id AS "worker_id!", has_subscribers AS "has_subscribers!", search_ms AS "search_ms!", wait_reasons
FROM claim_jobs_v1(:batch!, :maxBytes!);

/* @name findLeasesOfClaim */
SELECT
  command, part AS "part!", job_id, queue_name AS "queue_name!", payload AS "payload!", priority AS "priority!",
  retry_count AS "retry_count!", max_retries AS "max_retries!", timeout_seconds AS "timeout_seconds!", lease_id AS "lease_id!",
  lease_expires_at AS "lease_expires_at!", created_at AS "created_at!", scheduled_at, started_at AS "started_at!", idempotency_key,
  traceparent, worker_id AS "worker_id!", has_subscribers AS "has_subscribers!", search_ms AS "search_ms!", bytes AS "bytes!", wait_reasons
FROM find_leases_of_claim_v1(:batch!, :maxBytes!);
