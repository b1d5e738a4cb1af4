/** How an attempt or a job ended, or what else its history says. */
export interface StoredEvent {
  event: string;
  lease: string | null;
  /** Whether it made the job a dead letter. */
  isDeath: boolean;
}

export interface StoredJob {
  id: string;
  tenant: string;
  queue: string;
  key: string | null;
  /** Of a record whose job has ended; null while it lives. */
  outcome: string | null;
  retryCount: number;
  /** The lease that completed it. */
  lease: string | null;
  isListedAsDead: boolean;
  isLive: boolean;
  /** Calls of its completion webhook that were recorded. */
  reports: number;
  /** In their order. */
  events: StoredEvent[];
  /** Results of its steps, as JSON, by their names. */
  steps: Record<string, unknown>;
}

/** A figure that is kept, and what counting gives. `what` names it with its tenant and queue. */
export interface StoredCount {
  what: string;
  kept: number;
  counted: number;
}

/** What the database holds when no call is in progress. */
export interface FinalState {
  jobs: StoredJob[];
  counts: StoredCount[];
}

/** Runs a statement that sees all tenants. */
export type Sql = <Row extends object>(text: string, parameters?: unknown[]) => Promise<Row[]>;

/** Reads the jobs and counters of these tenants. */
export async function readFinalState(sql: Sql, tenants: readonly string[]): Promise<FinalState> {
  const jobs = await sql<StoredJob>(
    `SELECT j.id, j.organization_id AS tenant, j.queue_name AS queue, j.idempotency_key AS key, j.outcome,
       j.retry_count AS "retryCount", j.lease_id AS lease, d.job_id IS NOT NULL AS "isListedAsDead",
       q.job_id IS NOT NULL AS "isLive",
       (SELECT count(*)::int FROM webhook_deliveries w WHERE w.job_id = j.id AND w.webhook_id IS NULL) AS reports,
       (SELECT coalesce(json_agg(json_build_object('event', h.event, 'lease', h.lease_id, 'isDeath',
          h.event = 'deadlettered' OR coalesce(h.details ->> 'will_retry' = 'false', false)) ORDER BY h.at, h.id), '[]')
        FROM job_history h WHERE h.job_id = j.id) AS events,
       (SELECT coalesce(json_object_agg(s.name, s.result), '{}') FROM job_steps s WHERE s.job_id = j.id) AS steps
     FROM jobs j LEFT JOIN job_queue q ON q.job_id = j.id LEFT JOIN dead_letters d ON d.job_id = j.id
     WHERE j.organization_id = ANY ($1)`,
    [tenants],
  );
  return { jobs, counts: await sql<StoredCount>(counts, [tenants]) };
}

/**
 * Requeued jobs are taken off the counters again; the hours of queues keep dead letters, so they are compared by group only. Deleted jobs
 * stay created.
 */
const counts = `
  WITH kept AS (
    SELECT organization_id AS org, queue_name, sum(completed) AS completed, sum(cancelled) AS cancelled
    FROM job_stats WHERE organization_id = ANY ($1) GROUP BY 1, 2
  ), counted AS (
    SELECT organization_id AS org, queue_name, count(*) FILTER (WHERE outcome = 'completed') AS completed,
      count(*) FILTER (WHERE outcome = 'cancelled') AS cancelled
    FROM jobs WHERE organization_id = ANY ($1) GROUP BY 1, 2
  ), born AS (
    SELECT org, (SELECT count(*) FROM jobs WHERE organization_id = org)
      + (SELECT count(*) FROM deleted_jobs WHERE organization_id = org) AS jobs
    FROM unnest($1::uuid[]) AS org
  )
  SELECT format('%s of %s/%s', x.what, org, queue_name) AS what, x.kept::int, x.counted::int
  FROM kept FULL JOIN counted c USING (org, queue_name)
  CROSS JOIN LATERAL (VALUES
    ('completed', coalesce(kept.completed, 0), coalesce(c.completed, 0)),
    ('cancelled', coalesce(kept.cancelled, 0), coalesce(c.cancelled, 0))
  ) AS x(what, kept, counted)
  UNION ALL
  SELECT format('created of %s', org), (SELECT coalesce(sum(created), 0)::int FROM job_stats WHERE organization_id = org), jobs::int
  FROM born
  UNION ALL
  SELECT format('usage of %s', org), (SELECT coalesce(sum(jobs_created), 0)::int FROM usage_counters WHERE organization_id = org),
    (jobs + (SELECT count(*) FROM job_history WHERE organization_id = org AND event = 'retried'))::int
  FROM born
  UNION ALL
  SELECT format('dead letters of %s/%s in %s s from %s', org, group_id, step, at), coalesce(k.jobs, 0)::int, coalesce(c.jobs, 0)::int
  FROM (
    SELECT organization_id AS org, group_id, step, at, sum(jobs) AS jobs FROM dead_letter_counts
    WHERE organization_id = ANY ($1) AND (step = 0 OR at >= current_ts() - CASE step WHEN 60 THEN interval '1 hour' ELSE interval '1 day' END)
    GROUP BY 1, 2, 3, 4
  ) k FULL JOIN (
    SELECT organization_id AS org, group_id, step, at, count(*) AS jobs
    FROM dead_letters CROSS JOIN LATERAL (VALUES
      (0, timestamptz 'epoch', interval '1000 years'), (60, date_trunc('minute', dead_at), interval '1 hour'),
      (3600, date_trunc('hour', dead_at), interval '1 day')) AS period (step, at, kept)
    WHERE organization_id = ANY ($1) AND (step = 0 OR at >= current_ts() - kept)
    GROUP BY 1, 2, 3, 4
  ) c USING (org, group_id, step, at)`;
