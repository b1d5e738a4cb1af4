/* @name findDueOperations */
-- Operations whose next step is due, the longest overdue first; without those of the organizations :except. Across all tenants, so as
-- spooled_system. Relies on: operations_due.
SELECT id, organization_id, kind, failures FROM operations
WHERE next_step_at <= current_ts(statement_timestamp()) AND organization_id <> ALL (:except!::uuid[])
ORDER BY next_step_at LIMIT :limit!;

/* @name lockOperation */
-- Locks an operation for one step. No row: another process is at it, or the step is no longer due. actor: who asked for it; scope: queues
-- that it may touch, empty = all; progress: as the step before left it, null at the beginning.
UPDATE operations o SET
  state = CASE WHEN o.state = 'pending' THEN 'running' ELSE o.state END, started_at = coalesce(o.started_at, current_ts(clock_timestamp()))
WHERE o.id = ANY (ARRAY(
  SELECT id FROM operations
  WHERE organization_id = :organizationId! AND id = :id! AND next_step_at <= current_ts(clock_timestamp()) FOR UPDATE SKIP LOCKED))
RETURNING o.id, o.kind, o.state, o.queues AS scope, o.filter, o.settings, o.payload_patch AS "payloadPatch", o.processed, o.refused,
  o.succeeded, o.failed, o.ended_otherwise AS "endedOtherwise", o.reason, o.actor, o.created_at AS "createdAt", o.ended_at AS "endedAt",
  o.rate_used_until AS "rateUsedUntil", o.progress, current_ts(clock_timestamp()) AS "now!";

/* @name saveProgress */
-- :waitMs until the next step; null = there is none. :progress null = as it was.
UPDATE operations SET
  state = :state!, processed = processed + :processed!, refused = refused + :refused!, succeeded = succeeded + :succeeded!,
  failed = failed + :failed!, ended_otherwise = ended_otherwise + :endedOtherwise!, reason = :reason, failures = 0,
  rate_used_until = :rateUsedUntil, progress = coalesce(:progress::jsonb, progress),
  ended_at = CASE WHEN :state! IN ('pending', 'running') THEN NULL ELSE coalesce(ended_at, current_ts(clock_timestamp())) END,
  next_step_at = current_ts(clock_timestamp()) + :waitMs::float8 * interval '1 millisecond'
WHERE organization_id = :organizationId! AND id = :id!;

/* @name postponeOperation */
-- After a step that failed or could do nothing; longer after each failure, at most a minute. One that has ended keeps the reason of its end.
UPDATE operations SET reason = CASE WHEN state IN ('pending', 'running') THEN :reason! ELSE reason END, failures = least(failures + :failures!::integer, 100),
  next_step_at = current_ts(clock_timestamp()) + least(power(2, least(failures, 6)) + 4, 60) * interval '1 second'
WHERE organization_id = :organizationId! AND id = :id! AND next_step_at IS NOT NULL;

/* @name readPlan */
SELECT plan_tier, custom_limits FROM organizations WHERE id = :organizationId!;
