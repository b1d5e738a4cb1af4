/* @name renewLeases */
-- Where there is a reason (`why`), the lease was refused and all columns after it are null.
SELECT
  command AS "command!", why, lease_expires_at AS "lease_expires_at!", lease_id AS "lease_id!", queue_name AS "queue_name!",
  seconds AS "seconds!", durable_only AS "durable_only!", cancel_requested AS "cancel_requested!"
FROM renew_leases_v1(:batch!);
