import type { CommandBody, CommandKind, CommandOf, NewJob } from '@spooled/contracts';
import { type JobEventRow, listJobHistory } from '@spooled/data-access';
import { command, newJob, unlimited } from '@spooled/testing';
import { type EngineFixture, type HeldJob, workerCommands } from './job-lifecycle.fixture.js';

export const actor = 'key 019aa0e8-0000-7000-8000-000000000000 Nightly import';
export const past = '2020-01-01T00:00:00Z';
const defaults = { maxRetries: 3, timeoutSeconds: 300 };

/** A tenant whose commands are all given by `actor`. */
export class Caller {
  private constructor(
    readonly fixture: EngineFixture,
    readonly org: string,
  ) {}

  static create = async (fixture: EngineFixture): Promise<Caller> => new Caller(fixture, await fixture.organization());

  run = <K extends CommandKind>(kind: K, body: CommandBody<K>) =>
    this.fixture.run(command(kind, this.org, body, { actor } as Partial<CommandOf<K>>));

  /** A waiting job. */
  async create(more: Partial<NewJob> = {}): Promise<string> {
    const job = newJob(more);
    await this.run('job.enqueue', { jobs: [job], quota: unlimited, defaults });
    return job.id;
  }

  async hold(more: Partial<NewJob> = {}): Promise<HeldJob> {
    await this.create(more);
    return this.fixture.claimOne(this.org);
  }

  complete = (held: HeldJob) => this.fixture.run(workerCommands(this.org).complete(held));
  fail = (held: HeldJob, retry = true) => this.fixture.run(workerCommands(this.org).fail(held, retry));

  /** A dead letter. */
  async dead(): Promise<string> {
    const held = await this.hold();
    await this.fail(held, false);
    return held.id;
  }

  /** Makes a waiting job due. */
  makeDue = (id: string) => this.fixture.sql('UPDATE job_queue SET due_at = $1 WHERE job_id = $2', [past, id]);

  async history(id: string): Promise<JobEventRow[]> {
    const page = { direction: 'asc', limit: 500, offset: 0 } as const;
    const found = await this.fixture.db.withTenant(this.org, (tx) => listJobHistory(tx, id, null, page));
    return found?.events ?? [];
  }

  /** What the audit log shows of the caller's commands. */
  audited = async (): Promise<string[]> => {
    const of = 'SELECT action FROM audit_log WHERE organization_id = $1 AND actor = $2';
    return (await this.fixture.sql<{ action: string }>(of, [this.org, actor])).map(({ action }) => action);
  };

  /** What happened, in order: the event, and the actor or else the worker. */
  lines = async (id: string): Promise<string[]> =>
    (await this.history(id)).map(({ event, actor: by, worker_id: worker }) => `${event} ${by ?? worker ?? ''}`.trim());

  event = async (id: string, event: string): Promise<JobEventRow> =>
    (await this.history(id)).find((row) => row.event === event)!;
}

export const created = `created ${actor}`;
export const claimed = 'claimed w1';
export const dead = [created, claimed, 'failed w1', 'deadlettered w1'];

/** What one command writes into the history of a job; null: it changes no job that is left. */
type Case = ((caller: Caller) => Promise<{ id: string; lines: string[] }>) | null;

/** A kind that is missing here does not compile. */
export const cases: Record<CommandKind, Case> = {
  'job.enqueue': async (caller) => ({ id: await caller.create(), lines: [created] }),
  'job.claim': async (caller) => ({ id: (await caller.hold()).id, lines: [created, claimed] }),
  'job.complete': async (caller) => {
    const held = await caller.hold();
    await caller.complete(held);
    return { id: held.id, lines: [created, claimed, 'completed w1'] };
  },
  'job.completeMany': async (caller) => {
    const { id, leaseId } = await caller.hold();
    const jobs = [{ jobId: id, workerId: 'w1', leaseId: leaseId ?? null, result: null }];
    await caller.run('job.completeMany', { jobs, queues: null });
    return { id, lines: [created, claimed, 'completed w1'] };
  },
  'job.fail': async (caller) => {
    const held = await caller.hold({ maxRetries: 1 });
    await caller.fail(held);
    await caller.makeDue(held.id);
    await caller.fail(await caller.fixture.claimOne(caller.org));
    return { id: held.id, lines: [created, claimed, 'failed w1', claimed, 'failed w1', 'deadlettered w1'] };
  },
  'job.renew': async (caller) => {
    const { id, leaseId } = await caller.hold();
    const proof = { jobId: id, workerId: 'w1', leaseId: leaseId ?? null, queues: null };
    await caller.run('job.renew', { ...proof, leaseSeconds: 60 });
    return { id, lines: [created, claimed] };
  },
  'job.progress': async (caller) => {
    const { id, leaseId } = await caller.hold();
    const proof = { jobId: id, workerId: 'w1', leaseId: leaseId ?? null, queues: null };
    await caller.run('job.progress', { ...proof, progress: 50, message: null });
    return { id, lines: [created, claimed] };
  },
  'job.appendLogs': async (caller) => {
    const { id, leaseId } = await caller.hold();
    const proof = { jobId: id, workerId: 'w1', leaseId: leaseId ?? null, queues: null };
    const line = { number: 1, ageMs: 0, level: 'info' as const, message: 'charged', fields: null };
    await caller.run('job.appendLogs', { ...proof, lines: [line] });
    return { id, lines: [created, claimed] };
  },
  'job.recordStep': async (caller) => {
    const { id, leaseId } = await caller.hold();
    const proof = { jobId: id, workerId: 'w1', leaseId: leaseId ?? null, queues: null };
    await caller.run('job.recordStep', { ...proof, step: 'charge', result: '1' });
    return { id, lines: [created, claimed] };
  },
  'job.wait': async (caller) => {
    const { id, leaseId } = await caller.hold();
    const proof = { jobId: id, workerId: 'w1', leaseId: leaseId ?? null, queues: null };
    await caller.run('job.wait', { ...proof, step: 'approval', waitFor: 'signal', waitMs: 60_000 });
    return { id, lines: [created, claimed, 'waiting w1'] };
  },
  'job.signal': async (caller) => {
    const { id, leaseId } = await caller.hold();
    const proof = { jobId: id, workerId: 'w1', leaseId: leaseId ?? null, queues: null };
    await caller.run('job.wait', { ...proof, step: 'approval', waitFor: 'signal', waitMs: 60_000 });
    await caller.run('job.signal', { jobId: id, step: 'approval', payload: '1', queues: null });
    return { id, lines: [created, claimed, 'waiting w1', `resumed ${actor}`] };
  },
  'job.release': async (caller) => {
    const { id, leaseId } = await caller.hold();
    await caller.run('job.release', { leases: [{ jobId: id, leaseId: leaseId! }], delivered: true });
    return { id, lines: [created, claimed, `released ${actor}`] };
  },
  'job.cancel': async (caller) => {
    const id = await caller.create();
    await caller.run('job.cancel', { jobId: id, queues: null });
    return { id, lines: [created, `cancelled ${actor}`] };
  },
  'job.requestCancellation': async (caller) => {
    const held = await caller.hold();
    const body = { jobId: held.id, queues: null, reason: 'wrong customer', force: false, graceSeconds: null };
    await caller.run('job.requestCancellation', body);
    await caller.fail(held);
    return { id: held.id, lines: [created, claimed, `cancel_requested ${actor}`, 'cancelled w1'] };
  },
  'job.retry': async (caller) => {
    const id = await caller.dead();
    await caller.run('job.retry', { jobId: id, queues: null, quota: unlimited });
    return { id, lines: [...dead, `retried ${actor}`] };
  },
  'job.addDependencies': async (caller) => {
    const [id, parent] = [await caller.create({ queueName: 'child' }), await caller.create()];
    await caller.run('job.addDependencies', { jobId: id, dependsOn: [parent], mode: null, queues: null });
    await caller.complete(await caller.fixture.claimOne(caller.org));
    return { id, lines: [created, `dependencies_added ${actor}`, 'dependencies_met system dependencies'] };
  },
  'job.prioritize': async (caller) => {
    const id = await caller.create();
    for (const priority of [7, 7]) await caller.run('job.prioritize', { jobId: id, priority, queues: null });
    return { id, lines: [created, `priority_changed ${actor}`] };
  },
  'deadletter.retry': async (caller) => {
    const id = await caller.dead();
    const body = { jobIds: [id], queueName: null, limit: 10, quota: unlimited, maxWorkflows: null };
    await caller.run('deadletter.retry', body);
    return { id, lines: [...dead, `retried ${actor}`] };
  },
  'deadletter.purge': async (caller) => {
    const id = await caller.dead();
    const filter = { jobIds: null, queueName: null, olderThan: null, issuedAt: null };
    await caller.run('deadletter.purge', { ...filter, limit: 10 });
    return { id, lines: [] };
  },
  'queue.delete': async (caller) => {
    const id = await caller.dead();
    await caller.run('queue.delete', { queueName: 'emails', deleteJobs: true, issuedAt: null });
    return { id, lines: [] };
  },
  'schedule.trigger': async (caller) => {
    const [schedule] = await caller.fixture.sql<{ id: string }>(
      `INSERT INTO schedules (id, organization_id, name, cron_expression, queue_name, payload_template)
       VALUES (uuidv7(), $1, 'nightly', '0 3 * * *', 'reports', '{}') RETURNING id`,
      [caller.org],
    );
    const { id } = newJob();
    await caller.run('schedule.trigger', { scheduleId: schedule!.id, jobId: id, queues: null, quota: unlimited });
    return { id, lines: [created] };
  },
  'workflow.create': async (caller) => ({ id: (await workflow(caller)).child, lines: [created] }),
  'workflow.cancel': async (caller) => {
    const { id, child } = await workflow(caller);
    await caller.run('workflow.cancel', { workflowId: id, queues: null });
    return { id: child, lines: [created, `cancelled ${actor}`] };
  },
  'workflow.retry': async (caller) => {
    const { id, child } = await workflow(caller);
    await caller.fail(await caller.fixture.claimOne(caller.org), false);
    await caller.run('workflow.retry', { workflowId: id, queues: null, quota: unlimited });
    return { id: child, lines: [created, 'cancelled system dependencies', `retried ${actor}`] };
  },
  'batch.create': null,
  'batch.add': async (caller) => ({ id: (await batchOf(caller)).job, lines: [created] }),
  'batch.close': async (caller) => {
    const { id, job } = await batchOf(caller);
    await caller.run('batch.close', { batchId: id, queues: null });
    return { id: job, lines: [created] };
  },
  'batch.cancel': async (caller) => {
    const { id, job } = await batchOf(caller);
    await caller.run('batch.cancel', { batchId: id, queues: null });
    return { id: job, lines: [created] };
  },
  'worker.register': null,
  'worker.heartbeat': null,
  'worker.drain': async (caller) => {
    await caller.run('worker.register', registration);
    const { id } = await caller.hold();
    await caller.run('worker.drain', { workerId: 'w1', queues: null });
    return { id, lines: [created, claimed] };
  },
  'worker.resume': async (caller) => {
    await caller.run('worker.register', registration);
    const { id } = await caller.hold();
    await caller.run('worker.drain', { workerId: 'w1', queues: null });
    await caller.run('worker.resume', { workerId: 'w1', queues: null, maxWorkers: null, plan: '', upgradeTo: null });
    return { id, lines: [created, claimed] };
  },
  'worker.deregister': async (caller) => {
    await caller.run('worker.register', registration);
    const { id } = await caller.hold();
    await caller.run('worker.deregister', { workerId: 'w1', queues: null, issuedAt: null });
    return { id, lines: [created, claimed] };
  },
};

const registration = {
  workerId: 'w1',
  queueName: 'emails',
  hostname: 'h',
  workerType: null,
  maxConcurrency: 5,
  metadata: null,
  version: null,
  plan: 'enterprise',
  upgradeTo: null,
  maxWorkers: null,
  queues: null,
};

/** An open batch of one job; the audit log does not name the caller for it. */
async function batchOf(caller: Caller): Promise<{ id: string; job: string }> {
  const [batch, job] = [{ id: newJob().id, name: null, metadata: null }, newJob()];
  const body = { batch, callbacks: {}, queues: null, quota: unlimited, maxOpenBatches: null, defaults };
  await caller.fixture.run(command('batch.create', caller.org, body));
  const more = { maxJobs: 10, quota: unlimited, queues: null, defaults };
  await caller.run('batch.add', { batchId: batch.id, jobs: [job], ...more });
  return { id: batch.id, job: job.id };
}

/** A workflow of two jobs, the second of which waits for the first. */
async function workflow(caller: Caller): Promise<{ id: string; child: string }> {
  const [parent, child] = [newJob(), newJob({ queueName: 'child' })];
  const { id } = newJob();
  await caller.run('workflow.create', {
    workflow: { id, name: 'w', description: null, metadata: null },
    jobs: [
      { key: 'a', index: 0, job: parent, dependsOn: [], mode: 'all' },
      { key: 'b', index: 1, job: child, dependsOn: [parent.id], mode: 'all' },
    ],
    quota: unlimited,
    maxWorkflows: null,
    defaults,
  });
  return { id, child: child.id };
}
