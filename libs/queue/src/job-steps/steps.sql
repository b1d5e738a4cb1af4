/* @name recordSteps */
-- Where there is a reason (`why`), the step was refused and the time is null.
SELECT command AS "command!", why, recorded_at AS "recorded_at!" FROM record_steps_v1(:batch!, :most!);

/* @name beginWait */
-- Where there is a reason (`why`), the wait was refused and the columns of the job are null.
SELECT
  why, is_over AS "is_over!", queue_name AS "queue_name!", lease_id AS "lease_id!", until AS "until!", waiting_at AS "waiting_at!",
  cancel_requested AS "cancel_requested!"
FROM begin_wait_v1(
  :organizationId!, :jobId!, :workerId!, :leaseId, :scope, :renewed!, :step!, :kind!, :waitMs!, :most!);

/* @name signalJob */
SELECT why, accepted AS "accepted!", resumed AS "resumed!", queue_name AS "queue_name!", given_at AS "given_at!"
FROM signal_job_v1(:organizationId!, :jobId!, :step!, :value, :most!, :known, :scope);
