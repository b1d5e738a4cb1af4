import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineFixture } from './job-lifecycle.fixture.js';
import type { Verb } from './random-callers.fixture.js';

/** A text of a function, and what it becomes at every place. */
type Change = [from: string, to: string];

/** A change of one function, or of the schema, that breaks a promise. */
export interface PlantedBug {
  name: string;
  /** What callers do more often, so that they meet it soon. */
  often?: Verb[];
  /** The first seed that is tried, which mostly finds it. Default 1. */
  seed?: number;
  /** Rounds of work with that seed. Default 2. */
  rounds?: number;
  /** The source of the function, below libs/queue/src. */
  file?: string;
  changes?: Change[];
  /** What else is done to the database, and how that is undone. */
  sql?: { plant: string; remove: string };
}

const complete = 'complete/complete_part_v1.sql';
const finish = 'complete/finish_jobs_v1.sql';
const lockFailed = 'fail/lock_failed_jobs_v1.sql';
const applyFailures = 'fail/apply_failures_v1.sql';
const claim = 'claim/claim_jobs_v1.sql';
const grant = 'claim/grant_leases_v1.sql';
const enqueue = 'enqueue/enqueue_part_v1.sql';
const release = 'release/release_leases_v1.sql';
const renew = 'renew/renew_leases_v1.sql';
const requeue = 'retry/requeue_jobs_v1.sql';
const cancel = 'cancel/cancel_jobs_v1.sql';
const recover = 'recover/lock_expired_leases_v1.sql';
const link = 'enqueue/link_children_v1.sql';
const cancelAttempts = 'cancel/cancel_attempts_v1.sql';
const recordSteps = 'job-steps/record_steps_v1.sql';
const beginWait = 'job-steps/begin_wait_v1.sql';
const signal = 'job-steps/signal_job_v1.sql';
const cancelChildren = 'dependencies/cancel_dependents_v1.sql';

const anyLease: Change = ['i.worker, i.lease, i.scope', 'i.worker, NULL, i.scope'];
const anyWorker: Change = ['i.worker, i.lease, i.scope', 'q.worker_id, i.lease, i.scope'];

const withoutIsolation = {
  plant: 'ALTER TABLE job_queue DISABLE ROW LEVEL SECURITY; ALTER TABLE jobs DISABLE ROW LEVEL SECURITY',
  remove: 'ALTER TABLE job_queue ENABLE ROW LEVEL SECURITY; ALTER TABLE jobs ENABLE ROW LEVEL SECURITY',
};

export const plantedBugs: PlantedBug[] = [
  { name: 'a completion needs no lease', seed: 2, rounds: 4, often: ['complete'], file: complete, changes: [anyLease] },
  { name: 'another worker completes', seed: 2, often: ['complete'], file: complete, changes: [anyWorker] },
  {
    name: 'an expired lease completes',
    rounds: 4,
    often: ['complete'],
    file: complete,
    changes: [['i.extended, moment', 'true, moment']],
  },
  {
    name: 'a completion forgets the children',
    often: ['complete'],
    file: complete,
    changes: [['IF finished.parents IS NOT NULL', 'IF false']],
  },
  { name: 'a completion is not reported', file: complete, changes: [['IF finished.called IS NOT NULL', 'IF false']] },
  {
    name: 'a completion skips the counter',
    file: finish,
    changes: [['job_stats.completed + excluded.completed', 'job_stats.completed']],
  },
  {
    name: 'a completion keeps the live row',
    file: finish,
    changes: [
      [
        'DELETE FROM job_queue q WHERE q.job_id = ANY (held)',
        `UPDATE job_queue q SET state = 'ready' WHERE q.job_id = ANY (held)`,
      ],
    ],
  },
  {
    name: 'a completion leaves the record',
    file: finish,
    changes: [[`SET outcome = 'completed', result`, 'SET result']],
  },
  { name: 'a failure needs no lease', often: ['fail'], file: lockFailed, changes: [anyLease] },
  { name: 'another worker fails', often: ['fail'], file: lockFailed, changes: [anyWorker] },
  {
    name: 'an expired lease fails',
    rounds: 4,
    often: ['fail'],
    file: lockFailed,
    changes: [['i.renewed, moment', 'true, moment']],
  },
  {
    name: 'a failure costs no attempt',
    file: applyFailures,
    changes: [['retry_count = b.retry_count + 1', 'retry_count = b.retry_count']],
  },
  {
    name: 'a dead letter is not listed',
    file: applyFailures,
    changes: [['FROM before WHERE delay_ms IS NULL ON CONFLICT', 'FROM before WHERE false ON CONFLICT']],
  },
  {
    name: 'a failure leaves no history',
    file: applyFailures,
    changes: [
      [
        `'progress_message', progress_message))
      FROM before`,
        `'progress_message', progress_message))
      FROM before WHERE delay_ms IS NULL`,
      ],
    ],
  },
  {
    name: 'a dead letter keeps its children',
    often: ['fail'],
    file: applyFailures,
    changes: [['IF parents IS NOT NULL', 'IF false']],
  },
  {
    name: 'a dead letter is reported twice',
    seed: 2,
    file: 'fail/record_failure_deliveries_v1.sql',
    changes: [
      [
        'deliveries := record_completion_deliveries_v1(org, dead)',
        'deliveries := record_completion_deliveries_v1(org, dead) || record_completion_deliveries_v1(org, dead)',
      ],
    ],
  },
  { name: 'a blocked child is granted', file: claim, changes: [['AND q.dependencies_met', '']] },
  {
    name: 'a claim ignores the places of the queue',
    file: claim,
    changes: [['IF concurrency IS NOT NULL', 'IF false']],
  },
  {
    name: 'claims do not take turns for places',
    file: claim,
    changes: [
      [`PERFORM pg_advisory_xact_lock(hashtextextended('claim:' || org || ':' || queue, 0));`, ''],
      // Long enough that others come between the count and the grant.
      ['most := least(', 'PERFORM pg_sleep(0.05) WHERE room IS NOT NULL; most := least('],
    ],
  },
  {
    name: 'a claim takes the lowest priority',
    file: claim,
    changes: [['ORDER BY q.priority DESC', 'ORDER BY q.priority']],
  },
  { name: 'a claim locks nothing', file: claim, changes: [['FOR UPDATE SKIP LOCKED', '']] },
  {
    name: 'a claim takes jobs before their time',
    file: claim,
    changes: [['q.due_at <= moment', `q.due_at <= moment + interval '1 minute'`]],
  },
  {
    name: 'a repeated claim is not recognized',
    file: grant,
    changes: [['md5(r.id::text || q.job_id)::uuid', 'gen_random_uuid()']],
  },
  {
    name: 'a repeated claim finds the jobs of others',
    seed: 2,
    file: 'claim/find_leases_of_claim_v1.sql',
    changes: [[`AND q.lease_id = md5((item ->> 'claim') || q.job_id)::uuid`, '']],
  },
  { name: 'a known key makes a new job', file: enqueue, changes: [['WHERE i.job_id <> j.id', 'WHERE false']] },
  {
    name: 'an enqueue skips the usage',
    file: enqueue,
    changes: [['FROM record HAVING count(*) > 0', 'FROM record HAVING count(*) > 1']],
  },
  {
    name: 'an enqueue skips the counter',
    file: enqueue,
    changes: [['job_stats.created + excluded.created', 'job_stats.created']],
  },
  {
    name: 'recovery takes leases that hold',
    file: recover,
    changes: [['<= current_ts(statement_timestamp())', `<= current_ts(statement_timestamp()) + interval '30 s'`]],
  },
  { name: 'recovery takes nothing', file: recover, changes: [['LIMIT most', 'LIMIT 0']] },
  {
    name: 'a release needs no lease',
    seed: 3,
    often: ['release'],
    file: release,
    changes: [['AND q.lease_id = x.lease', '']],
  },
  {
    name: 'a release costs an attempt',
    seed: 3,
    file: release,
    changes: [
      ['worker_id = NULL, lease_id = NULL', 'retry_count = q.retry_count + 1, worker_id = NULL, lease_id = NULL'],
    ],
  },
  { name: 'a renewal needs no lease', seed: 2, often: ['renew'], file: renew, changes: [anyLease] },
  {
    name: 'a renewal tells more than it writes',
    file: renew,
    changes: [
      ['SET lease_expires_at = least(', "SET lease_expires_at = q.lease_expires_at + 0 * least(interval '0', "],
    ],
  },
  {
    name: 'a retry keeps the attempts',
    often: ['fail', 'retry'],
    file: requeue,
    changes: [
      [
        'created_at, expires_at, has_dependents,\n      dependencies_met)',
        'created_at, expires_at, has_dependents,\n      dependencies_met, retry_count)',
      ],
      [
        'are_dependencies_met_v1(j.id, j.dependency_mode)\n    FROM',
        'are_dependencies_met_v1(j.id, j.dependency_mode), 1\n    FROM',
      ],
    ],
  },
  {
    name: 'a retry keeps the dead letter',
    seed: 3,
    file: requeue,
    changes: [['DELETE FROM dead_letters WHERE job_id = ANY (found)', 'DELETE FROM dead_letters WHERE false']],
  },
  {
    name: 'a retry forgets the parents',
    often: ['claim', 'fail', 'retry'],
    rounds: 4,
    file: requeue,
    changes: [['are_dependencies_met_v1(j.id, j.dependency_mode)', 'true']],
  },
  { name: 'a cancellation takes running jobs', seed: 3, file: cancel, changes: [[`AND state <> 'leased'`, '']] },
  {
    name: 'a cancellation keeps the children',
    rounds: 4,
    often: ['cancel'],
    file: cancel,
    changes: [['IF parents IS NOT NULL', 'IF false']],
  },
  {
    name: 'a cancellation skips the counter',
    seed: 2,
    file: cancel,
    changes: [['job_stats.cancelled + excluded.cancelled', 'job_stats.cancelled']],
  },
  {
    name: 'a cancelled parent releases a child',
    seed: 2,
    file: cancelChildren,
    changes: [
      [
        'EXIT WHEN waiting IS NULL;',
        'UPDATE job_queue SET dependencies_met = true WHERE job_id = ANY (waiting); EXIT;',
      ],
    ],
  },
  {
    name: 'a child of a completed parent stays blocked',
    seed: 2,
    rounds: 4,
    file: link,
    changes: [['IF completed IS NOT NULL', 'IF false']],
  },
  {
    name: 'a child of a cancelled parent stays blocked',
    seed: 2,
    rounds: 4,
    file: link,
    changes: [['IF dead IS NOT NULL', 'IF false']],
  },
  {
    name: 'a failure forgets that the end was requested',
    often: ['requestCancel', 'fail'],
    file: lockFailed,
    changes: [['q.cancel_requested_at IS NOT NULL AS cancel_requested', 'false AS cancel_requested']],
  },
  {
    name: 'a lost lease forgets that the end was requested',
    seed: 3,
    file: recover,
    changes: [['l.cancel_requested_at IS NOT NULL', 'false']],
  },
  {
    name: 'a wait forgets that the end was requested',
    often: ['requestCancel', 'wait'],
    file: beginWait,
    changes: [['IF live.cancel_requested_at IS NOT NULL', 'IF false']],
  },
  {
    name: 'a cancelled attempt keeps the children',
    seed: 3,
    rounds: 4,
    often: ['enqueue', 'requestCancel', 'fail'],
    file: cancelAttempts,
    changes: [['IF parents IS NOT NULL', 'IF false']],
  },
  {
    name: 'a cancelled attempt skips the counter',
    seed: 2,
    file: cancelAttempts,
    changes: [['job_stats.cancelled + excluded.cancelled', 'job_stats.cancelled']],
  },
  { name: 'a result needs no lease', seed: 2, rounds: 4, often: ['step'], file: recordSteps, changes: [anyLease] },
  {
    name: 'a later result replaces the first',
    seed: 2,
    often: ['step'],
    file: recordSteps,
    changes: [['ON CONFLICT DO NOTHING', 'ON CONFLICT (job_id, name) DO UPDATE SET result = excluded.result']],
  },
  {
    name: 'a wait needs no lease',
    rounds: 4,
    often: ['wait'],
    file: beginWait,
    changes: [['worker, lease, scope, begin_wait_v1', 'worker, NULL, scope, begin_wait_v1']],
  },
  { name: 'a wait is over before its time', file: beginWait, changes: [['due_at = own.deadline', 'due_at = moment']] },
  {
    name: 'a wait ends no attempt',
    seed: 3,
    file: beginWait,
    changes: [['live.started_at, live.lease_id,', 'live.started_at, NULL,']],
  },
  {
    name: 'a second signal counts',
    often: ['wait', 'signal'],
    file: signal,
    changes: [['IF why IS NOT NULL OR own.finished_at IS NOT NULL', 'IF why IS NOT NULL']],
  },
  {
    name: 'a claim sees all tenants',
    file: claim,
    changes: [['q.organization_id = org AND ', '']],
    sql: withoutIsolation,
  },
  {
    name: 'a deleted job comes back',
    seed: 2,
    rounds: 4,
    often: ['purge'],
    sql: {
      plant: `
        CREATE FUNCTION restore() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO jobs SELECT OLD.*; RETURN NULL; END';
        CREATE TRIGGER restored AFTER DELETE ON jobs FOR EACH ROW EXECUTE FUNCTION restore();`,
      remove: 'DROP FUNCTION restore CASCADE',
    },
  },
  {
    name: 'earlier deliveries are not fenced off',
    file: 'step/fence_commands_v1.sql',
    changes: [['c.delivery < f.delivery', 'false']],
  },
  {
    name: 'a repeated outcome is not remembered',
    file: 'step/logged_outcomes_v1.sql',
    changes: [['WHERE l.organization_id', 'WHERE false AND l.organization_id']],
  },
];

/** Installs the bug. @throws Error when the source no longer has what it changes */
export async function plant(fixture: EngineFixture, { name, file, changes = [], sql }: PlantedBug): Promise<void> {
  let source = sourceOf(file);
  for (const [from, to] of changes) {
    if (!source.includes(from)) throw new Error(`${file} has no "${from}" for the bug "${name}"`);
    source = source.replaceAll(from, to);
  }
  await fixture.sql(`${source}${sql?.plant ?? ''}`);
}

/** Undoes `plant`. */
export async function remove(fixture: EngineFixture, { file, sql }: PlantedBug): Promise<void> {
  await fixture.sql(`${sourceOf(file)}${sql?.remove ?? ''}`);
}

const sourceOf = (file: string | undefined): string =>
  file ? readFileSync(join(import.meta.dirname, '..', file), 'utf8') : '';
