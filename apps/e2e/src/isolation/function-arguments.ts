import pg from 'pg';
import type { Victim } from './findings.js';

/** A member for each name that the functions read from JSON; they take what they know. */
function element(victim: Victim, org: string | null, job: string): object {
  const { name, ids } = victim;
  return {
    organization: org,
    org,
    command: 0,
    number: 0,
    id: job,
    job,
    job_id: job,
    ids: [job],
    jobs: [job],
    queue: name,
    queue_name: name,
    worker: name,
    worker_id: name,
    lease: ids.leases?.[0] ?? null,
    parent_job_id: job,
    idempotency_key: name,
    keyed: true,
    parented: true,
    guarded: false,
    redelivered: true,
    called: false,
    claims: [{ command: 0, id: job, worker: name, lease_seconds: 30, max_jobs: 10, max_bytes: 1_000_000 }],
    claim: job,
    payload: {},
    job_type: '',
    priority: 0,
    result: null,
    error: 'x',
    retry: false,
    numbers: [0],
    kind: 'job.fail',
  };
}

const scalars: Record<string, string> = {
  boolean: 'true',
  integer: '10',
  smallint: '1',
  bigint: '10',
  real: '1',
  'double precision': '1',
  numeric: '1',
  interval: `'1 hour'`,
  'timestamp with time zone': 'now()',
  date: 'now()::date',
};

/**
 * An argument with which a function is asked about the victim, as SQL.
 * @param org the organization that calls
 * @param part 0 or 1: another one of the victim's jobs, and objects in place of arrays
 * @returns undefined for a type that is not known here
 */
export function argumentFor(
  { name, type }: { name: string; type: string },
  victim: Victim,
  org: string | null,
  part: number,
): string | undefined {
  const jobs = victim.ids.jobs!;
  const job = jobs[part % jobs.length]!;
  if (type.endsWith('[]')) {
    const own = argumentFor({ name, type: type.slice(0, -2) }, victim, org, part);
    return own && `ARRAY[${own}]::${type}`;
  }
  if (type === 'uuid') return /^(org|organization)/.test(name) ? literal(org, type) : literal(job, type);
  if (type === 'text' || type === 'character varying') return literal(victim.name, type);
  if (type === 'json' || type === 'jsonb') {
    const value = element(victim, org, job);
    return literal(JSON.stringify(part === 0 ? [value] : value), type);
  }
  if (type === 'job_status' || type === 'live_state') return `NULL::${type}`;
  // The row as the caller may read it.
  if (type === 'job_queue') return `(SELECT q FROM job_queue q WHERE q.job_id = ${literal(job, 'uuid')})`;
  return scalars[type] && `${scalars[type]}::${type}`;
}

const literal = (value: string | null, type: string): string =>
  value === null ? `NULL::${type}` : `${pg.escapeLiteral(value)}::${type}`;
