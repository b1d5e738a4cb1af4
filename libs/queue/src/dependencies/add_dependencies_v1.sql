-- Makes a job that no worker holds wait for others. Edges to itself and those that would close a circle are passed over.
--
-- Input:
--   org, job
--   parents
--   new_mode  'all', 'any', or null = as it is
--   scope     the queues that the key may touch; null = all
-- Output: {why} when it is refused (unknown: the job or a parent; busy: it is processing or has ended), else
--   {now, added: [parents], met, queue, released, cancelled: [{id, queue, old}]}
--   met: no parent blocks it; released: one did before
CREATE OR REPLACE FUNCTION add_dependencies_v1(org uuid, job uuid, parents uuid[], new_mode text, scope text[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz;
  own job_queue%ROWTYPE;
  mode text;
  added uuid[];
  met boolean;
  ended uuid[];
BEGIN
  -- One at a time in an organization: two that each add one edge could close a circle together.
  PERFORM pg_advisory_xact_lock(hashtextextended('dependencies:' || org, 0));
  IF EXISTS (
    SELECT FROM unnest(parents || job) AS named(id)
    LEFT JOIN jobs j ON j.id = named.id AND j.organization_id = org AND (scope IS NULL OR j.queue_name = ANY (scope)) AND NOT EXISTS (
      SELECT FROM queue_deletions d WHERE d.organization_id = org AND d.queue_name = j.queue_name AND j.created_at <= d.deleted_until)
    WHERE j.id IS NULL
  ) THEN
    RETURN jsonb_build_object('why', 'unknown');
  END IF;
  -- Decided before the locks: a parent that waits for the job would be locked before it, against the order of those that end the job.
  -- The lock above keeps the answer: other commands give parents to new jobs only, for which nothing waits.
  parents := ARRAY(SELECT id FROM unnest(parents) AS id WHERE NOT waits_for_v1(id, job));
  -- Parents before children, as where a job ends.
  PERFORM lock_parents_v1(org, parents);
  SELECT * INTO own FROM job_queue q WHERE q.organization_id = org AND q.job_id = job AND q.state <> 'leased' FOR UPDATE;
  IF own.job_id IS NULL THEN
    RETURN jsonb_build_object('why', 'busy');
  END IF;
  -- After the locks: what they waited for comes first in the history.
  moment := current_ts(clock_timestamp());

  WITH edges AS (
    INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) SELECT org, job, id FROM unnest(parents) AS id
    ON CONFLICT DO NOTHING RETURNING depends_on_job_id
  )
  SELECT coalesce(array_agg(depends_on_job_id), '{}') INTO added FROM edges;
  UPDATE job_queue q SET has_dependents = true WHERE q.job_id = ANY (added);
  UPDATE jobs j SET dependency_mode = coalesce(new_mode, j.dependency_mode, 'all'), updated_at = moment
  WHERE j.id = job RETURNING dependency_mode INTO mode;
  met := are_dependencies_met_v1(job, mode);
  UPDATE job_queue q SET dependencies_met = met WHERE q.job_id = job;
  INSERT INTO job_history (organization_id, job_id, at, event, actor, details)
  SELECT org, job, moment, e.event, nullif(current_setting('app.actor', true), ''), e.details
  FROM (VALUES
    ('dependencies_added', json_build_object('depends_on', added, 'mode', mode), cardinality(added) > 0),
    ('dependencies_met', NULL, met AND NOT own.dependencies_met)
  ) AS e(event, details, happened) WHERE e.happened;
  ended := ARRAY(
    SELECT d.depends_on_job_id FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id
    WHERE d.job_id = job AND p.outcome <> 'completed');
  RETURN jsonb_build_object(
    'now', moment, 'added', to_jsonb(added), 'met', met, 'queue', own.queue_name, 'released', met AND NOT own.dependencies_met,
    'cancelled', CASE WHEN met OR cardinality(ended) = 0 THEN '[]' ELSE cancel_dependents_v1(org, ended) END);
END
$$;
