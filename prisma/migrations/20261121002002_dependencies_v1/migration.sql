-- Dependencies between jobs that exist already, and the way back for children that were cancelled because of a parent.

-- True: the end of this parent cancelled this child. Reviving the parent revives such children, and only them.
ALTER TABLE job_dependencies ADD COLUMN cancelled_child boolean NOT NULL DEFAULT false;

-- Cancels the blocked children of jobs that failed or were cancelled, and theirs in turn: mode `all` at once, mode `any` when no
-- parent can complete any more. Returns [{id, queue, old}]. Marks the edges, for whoever revives the parent. All descendants are locked
-- first and in order of id: level by level, two jobs of one graph that fail at the same moment waited for each other.
CREATE FUNCTION cancel_dependents_v1(org uuid, ended uuid[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := statement_timestamp();
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
  WHILE parents IS NOT NULL LOOP
    SELECT array_agg(child.job_id) INTO waiting FROM (
      SELECT q.job_id FROM job_queue q
      WHERE q.organization_id = org AND NOT q.dependencies_met
        AND q.job_id = ANY (ARRAY(SELECT d.job_id FROM job_dependencies d WHERE d.depends_on_job_id = ANY (parents)))
      ORDER BY q.job_id FOR UPDATE
    ) AS child;
    EXIT WHEN waiting IS NULL;
    WITH hopeless AS (
      SELECT c.id FROM jobs c
      WHERE c.id = ANY (waiting) AND (
        c.dependency_mode IS DISTINCT FROM 'any'
        OR NOT EXISTS (
          SELECT FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id
          WHERE d.job_id = c.id AND (p.outcome IS NULL OR p.outcome = 'completed')
        )
      )
    ), gone AS (
      DELETE FROM job_queue q USING hopeless h WHERE q.job_id = h.id
      RETURNING q.job_id, q.queue_name, q.state, q.retry_count
    ), marked AS (
      UPDATE job_dependencies d SET cancelled_child = true FROM gone
      WHERE d.job_id = gone.job_id AND d.depends_on_job_id = ANY (parents)
    ), record AS (
      UPDATE jobs j SET outcome = 'cancelled', completed_at = moment, updated_at = moment,
        retry_count = gone.retry_count, last_error = 'A job that this one depends on did not complete'
      FROM gone WHERE j.id = gone.job_id
    ), counted AS (
      INSERT INTO job_stats (organization_id, queue_name, hour, slot, cancelled)
      SELECT org, queue_name, date_trunc('hour', moment), counter_slot(), count(*) FROM gone GROUP BY queue_name
      ON CONFLICT (organization_id, queue_name, hour, slot) DO UPDATE SET cancelled = job_stats.cancelled + excluded.cancelled
    )
    SELECT array_agg(job_id), coalesce(jsonb_agg(jsonb_build_object(
      'id', job_id, 'queue', queue_name, 'old', CASE state WHEN 'scheduled' THEN 'scheduled' ELSE 'pending' END)), '[]')
    INTO parents, level FROM gone;
    cancelled := cancelled || level;
  END LOOP;
  RETURN cancelled;
END
$$;

-- Children, and theirs in turn, that the end of the given jobs cancelled and that may complete once these run again.
-- A child with another parent that failed stays cancelled; it comes back with that one.
CREATE FUNCTION find_revivable_children_v1(org uuid, revived uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql STABLE SET enable_seqscan = off
AS $$
DECLARE
  all_revived uuid[] := revived;
  level uuid[] := revived;
BEGIN
  WHILE cardinality(level) > 0 LOOP
    level := ARRAY(
      SELECT DISTINCT c.id FROM job_dependencies e JOIN jobs c ON c.id = e.job_id
      WHERE e.organization_id = org AND e.depends_on_job_id = ANY (level) AND c.outcome = 'cancelled'
        AND NOT c.id = ANY (all_revived)
        AND EXISTS (SELECT FROM job_dependencies d WHERE d.job_id = c.id AND d.cancelled_child)
        AND CASE WHEN c.dependency_mode = 'any' THEN EXISTS (
          SELECT FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id
          WHERE d.job_id = c.id AND (p.outcome IS NULL OR p.outcome = 'completed' OR p.id = ANY (all_revived))
        ) ELSE NOT EXISTS (
          SELECT FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id
          WHERE d.job_id = c.id AND p.outcome <> 'completed' AND NOT p.id = ANY (all_revived)
        ) END);
    all_revived := all_revived || level;
  END LOOP;
  RETURN all_revived;
END
$$;

-- Whether nothing holds the job back. Parents whose record is gone no longer count.
CREATE FUNCTION are_dependencies_met_v1(job uuid, mode text) RETURNS boolean
  LANGUAGE sql STABLE SET enable_seqscan = off
AS $$
  SELECT CASE WHEN count(*) = 0 THEN true
    WHEN mode = 'any' THEN bool_or(coalesce(p.outcome = 'completed', false))
    ELSE bool_and(coalesce(p.outcome = 'completed', false)) END
  FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id WHERE d.job_id = job
$$;

-- Puts ended jobs back to pending, as new: no attempts, no error, no result; children that were cancelled because of them come
-- back with them. Jobs whose parents have yet to complete are blocked. All of them count against the plan like new jobs
-- (SQLSTATE SPQ01 when they do not fit). outcomes: which of the jobs may come back.
-- Returns {now, revived: [{id, queue, old, ready}]}; ready = may be claimed at once.
CREATE FUNCTION revive_jobs_v1(org uuid, ids uuid[], outcomes job_status[], quota json) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  found uuid[];
  old jsonb;
  revived jsonb;
BEGIN
  -- The lock of the quota check, taken before any row: revivals of one organization take turns, whatever rows they share.
  PERFORM pg_advisory_xact_lock(hashtextextended('jobs:' || org, 0));
  found := find_revivable_children_v1(org, ARRAY(
    SELECT j.id FROM jobs j WHERE j.organization_id = org AND j.id = ANY (ids) AND j.outcome = ANY (outcomes)));
  SELECT coalesce(array_agg(held.id), '{}'), jsonb_object_agg(held.id, held.outcome) INTO found, old FROM (
    SELECT j.id, j.outcome FROM jobs j WHERE j.id = ANY (found) AND j.outcome <> 'completed' ORDER BY j.id FOR UPDATE
  ) AS held;
  IF quota IS NOT NULL AND cardinality(found) > 0 THEN
    PERFORM check_job_quota_v1(org, quota, cardinality(found), '{}');
  END IF;
  -- No parent may end between the look at it and the insert of its child.
  PERFORM FROM job_queue q
  WHERE q.job_id = ANY (ARRAY(SELECT d.depends_on_job_id FROM job_dependencies d WHERE d.job_id = ANY (found))) ORDER BY q.job_id FOR UPDATE;

  UPDATE jobs j SET outcome = NULL, retry_count = 0, last_error = NULL, result = NULL, scheduled_at = NULL, started_at = NULL,
    completed_at = NULL, assigned_worker_id = NULL, lease_id = NULL, lease_expires_at = NULL, updated_at = moment
  WHERE j.id = ANY (found);
  WITH live AS (
    INSERT INTO job_queue (
      job_id, organization_id, queue_name, state, priority, max_retries, created_at, expires_at, has_dependents, dependencies_met)
    SELECT j.id, org, j.queue_name, 'ready', j.priority, j.max_retries, j.created_at,
      CASE WHEN j.expires_at > moment THEN j.expires_at END,
      EXISTS (SELECT FROM job_dependencies d WHERE d.depends_on_job_id = j.id),
      are_dependencies_met_v1(j.id, j.dependency_mode)
    FROM jobs j WHERE j.id = ANY (found) ON CONFLICT DO NOTHING
    RETURNING job_id, queue_name, dependencies_met
  ), marks AS (
    UPDATE job_dependencies SET cancelled_child = false WHERE job_id = ANY (found) AND cancelled_child
  ), letters AS (
    DELETE FROM dead_letters WHERE job_id = ANY (found)
  ), written AS (
    INSERT INTO job_history (organization_id, job_id, at, event) SELECT org, job_id, moment, 'retried_by_hand' FROM live
  ), used AS (
    INSERT INTO usage_counters (organization_id, day, slot, jobs_created)
    SELECT org, (now() AT TIME ZONE 'UTC')::date, counter_slot(), count(*) FROM live HAVING count(*) > 0
    ON CONFLICT (organization_id, day, slot) DO UPDATE SET jobs_created = usage_counters.jobs_created + excluded.jobs_created
  )
  SELECT coalesce(jsonb_agg(jsonb_build_object(
    'id', job_id, 'queue', queue_name, 'old', old ->> job_id::text, 'ready', dependencies_met)), '[]') INTO revived FROM live;
  RETURN jsonb_build_object('now', moment, 'revived', revived);
END
$$;

-- Lets a job that nobody works on wait for others. Edges to itself and those that would close a circle are passed over.
-- Returns {why} when it is refused (unknown: the job or a parent; busy: it is processing or has ended), else
-- {now, added: [parents], met, queue, released, cancelled: [{id, queue, old}]}; released = nothing holds it any more.
CREATE FUNCTION add_dependencies_v1(org uuid, job uuid, parents uuid[], new_mode text, scope text[]) RETURNS jsonb
  LANGUAGE plpgsql SET enable_seqscan = off
AS $$
DECLARE
  moment timestamptz := clock_timestamp();
  own job_queue%ROWTYPE;
  mode text;
  parent uuid;
  added uuid[] := '{}';
  met boolean;
  ended uuid[];
BEGIN
  -- One at a time in an organization: two that each add one edge could close a circle together.
  PERFORM pg_advisory_xact_lock(hashtextextended('dependencies:' || org, 0));
  IF EXISTS (
    SELECT FROM unnest(parents || job) AS named(id)
    LEFT JOIN jobs j ON j.id = named.id AND j.organization_id = org AND (scope IS NULL OR j.queue_name = ANY (scope))
    WHERE j.id IS NULL
  ) THEN
    RETURN jsonb_build_object('why', 'unknown');
  END IF;
  -- From here on none of them ends before the commit. Parents before children, as where a job ends.
  PERFORM FROM job_queue q WHERE q.organization_id = org AND q.job_id = ANY (parents) AND q.job_id <> job ORDER BY q.job_id FOR UPDATE;
  SELECT * INTO own FROM job_queue q WHERE q.organization_id = org AND q.job_id = job AND q.state <> 'leased' FOR UPDATE;
  IF own.job_id IS NULL THEN
    RETURN jsonb_build_object('why', 'busy');
  END IF;

  FOREACH parent IN ARRAY parents LOOP
    CONTINUE WHEN waits_for_v1(parent, job);
    INSERT INTO job_dependencies (organization_id, job_id, depends_on_job_id) VALUES (org, job, parent) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      added := added || parent;
    END IF;
  END LOOP;
  UPDATE job_queue q SET has_dependents = true WHERE q.job_id = ANY (added);
  UPDATE jobs j SET dependency_mode = coalesce(new_mode, j.dependency_mode, 'all'), updated_at = moment
  WHERE j.id = job RETURNING dependency_mode INTO mode;
  met := are_dependencies_met_v1(job, mode);
  UPDATE job_queue q SET dependencies_met = met WHERE q.job_id = job;
  ended := ARRAY(
    SELECT d.depends_on_job_id FROM job_dependencies d JOIN jobs p ON p.id = d.depends_on_job_id
    WHERE d.job_id = job AND p.outcome <> 'completed');
  RETURN jsonb_build_object(
    'now', moment, 'added', to_jsonb(added), 'met', met, 'queue', own.queue_name, 'released', met AND NOT own.dependencies_met,
    'cancelled', CASE WHEN met OR cardinality(ended) = 0 THEN '[]' ELSE cancel_dependents_v1(org, ended) END);
END
$$;

-- Whether the first job is the second, or waits for it over any number of others.
CREATE FUNCTION waits_for_v1(job uuid, other uuid) RETURNS boolean
  LANGUAGE sql STABLE SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
AS $$
  WITH RECURSIVE above(id) AS (
    SELECT job
    UNION
    SELECT d.depends_on_job_id FROM above a JOIN job_dependencies d ON d.job_id = a.id
  )
  SELECT EXISTS (SELECT FROM above WHERE id = other)
$$;
