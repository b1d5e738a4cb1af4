/* @name listJobHistory */
-- One page of the history of a job, and its number of events; see list_job_history_v1.
SELECT id AS "id?", event AS "event?", at AS "at?", worker_id AS "worker_id?", lease_id AS "lease_id?", attempt AS "attempt?",
  actor AS "actor?", error AS "error?", details AS "details?", total AS "total!"
FROM list_job_history_v1(:organizationId!, :id!, :queues, :ascending!, :limit!, :offset!);
