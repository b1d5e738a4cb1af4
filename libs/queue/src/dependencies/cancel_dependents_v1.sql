-- Cancels the blocked children of jobs that failed or were cancelled, and theirs in turn (SP-50): mode `all` at once, mode `any` when
-- no parent can complete any more. Marks the edges, for its requeue. All descendants are locked first and in order of id: level
-- by level, two jobs of one graph that failed at the same moment waited for each other.
--
-- Input:
--   org
--   ended  jobs that may have children
-- Output: [{id, queue, old}] of the cancelled jobs; old: their status before
CREATE OR REPLACE FUNCTION cancel_dependents_v1(org uuid, ended uuid[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz;
  parents uuid[] := ended;
  waiting uuid[];
  level jsonb;
  cancelled jsonb := '[]';
BEGIN
  -- UNION and not UNION ALL: a diamond of many levels has many ways to each of its jobs.
  PERFORM FROM job_queue q
  WHERE q.organization_id = org AND NOT q.dependencies_met AND q.job_id = ANY (ARRAY(
    WITH RECURSIVE below(id) AS (
      SELECT d.job_id FROM job_dependencies d WHERE d.depends_on_job_id = ANY (ended)
      UNION
      SELECT d.job_id FROM below b JOIN job_dependencies d ON d.depends_on_job_id = b.id
    )
    SELECT id FROM below))
  ORDER BY q.job_id FOR UPDATE;
  -- After the locks, and not before the parents.
  moment := current_ts(clock_timestamp());
  WHILE parents IS NOT NULL LOOP
    SELECT array_agg(child.job_id) INTO waiting FROM (
      SELECT q.job_id FROM job_queue q
      WHERE q.organization_id = org AND NOT q.dependencies_met
        AND q.job_id = ANY (ARRAY(SELECT d.job_id FROM job_dependencies d WHERE d.depends_on_job_id = ANY (parents)))
      ORDER BY q.job_id FOR UPDATE
    ) AS child;
    EXIT WHEN waiting IS NULL;
    WITH unreachable AS (
      SELECT c.id FROM jobs c
      WHERE c.id = ANY (waiting) AND (
        c.dependency_mode IS DISTINCT FROM 'any'
        OR NOT EXISTS (
          SELECT FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id
          -- A completed one would have unblocked it.
          WHERE d.job_id = c.id AND p.outcome IS NULL
        )
      )
    ), deleted AS (
      DELETE FROM job_queue q USING unreachable u WHERE q.job_id = u.id
      RETURNING q.job_id, q.queue_name, q.state, q.retry_count
    ), marked AS (
      UPDATE job_dependencies d SET cancelled_child = true FROM deleted
      WHERE d.job_id = deleted.job_id AND d.depends_on_job_id = ANY (parents)
      RETURNING d.job_id, d.depends_on_job_id
    ), past AS (
      INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
      SELECT DISTINCT ON (job_id) org, job_id, moment, 'cancelled',
        coalesce(nullif(current_setting('app.actor', true), ''), 'system dependencies'),
        json_build_object('reason', 'dependency', 'parent_job_id', depends_on_job_id)
      FROM marked ORDER BY job_id, depends_on_job_id
    ), record AS (
      UPDATE jobs j SET outcome = 'cancelled', completed_at = moment, cancelled_at = moment, updated_at = moment,
        retry_count = deleted.retry_count, last_error = 'A job that this one depends on did not complete'
      FROM deleted WHERE j.id = deleted.job_id
    ), counted AS (
      INSERT INTO job_stats (organization_id, queue_name, hour, slot, cancelled)
      SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(*) FROM deleted GROUP BY queue_name
      ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET cancelled = job_stats.cancelled + excluded.cancelled
    )
    SELECT array_agg(job_id), coalesce(jsonb_agg(jsonb_build_object(
      'id', job_id, 'queue', queue_name, 'old', CASE state WHEN 'scheduled' THEN 'scheduled' ELSE 'pending' END)), '[]')
    INTO parents, level FROM deleted;
    cancelled := cancelled || level;
  END LOOP;
  RETURN cancelled;
END
$$;
