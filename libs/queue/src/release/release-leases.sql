/* @name releaseLeases */
SELECT job_id AS "job_id!", queue_name AS "queue_name!", released_at AS "released_at!",
  cancel_requested AS "cancel_requested!"
FROM release_leases_v1(:organizationId!, :leases!);

/* @name releaseClaims */
SELECT job_id AS "job_id!", queue_name AS "queue_name!", lease_id AS "lease_id!", released_at AS "released_at!",
  cancel_requested AS "cancel_requested!"
FROM release_claims_v1(:organizationId!, :claims!);
