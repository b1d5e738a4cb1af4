/* @name sendWakeups */
-- NOTIFY on commit. The commit does not wait for the disk: a wake-up that a crash loses costs one poll.
SELECT set_config('synchronous_commit', 'off', true) AS "commits!", pg_notify(:channel!, payload)
FROM unnest(:payloads!::text[]) AS payload;
