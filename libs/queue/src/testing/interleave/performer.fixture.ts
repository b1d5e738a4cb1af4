import { batchCallbacks, type Command, type CommandResult } from '@spooled/contracts';
import {
  type Database,
  deleteExpiredRecords,
  pauseQueue,
  resumeQueue,
  type TenantTransaction,
} from '@spooled/data-access';
import { type Action, command, type Ending, type History, newJob, openConnections, unlimited } from '@spooled/testing';
import { JobEngine } from '../../engine/job-engine.js';
import { Operations } from '../../operations/operations.js';
import { Maintenance } from '../../recover/maintenance.js';
import {
  addCall,
  cancelCall,
  claimCall,
  completeCall,
  dependCall,
  enqueueCall,
  failCall,
  type JobCall,
  purgeCall,
  releaseCall,
  renewCall,
  requestCancelCall,
  retryCall,
  signalCall,
  stepCall,
  waitCall,
} from '../job-calls.fixture.js';
import type { EngineFixture } from '../job-lifecycle.fixture.js';
import {
  type Act,
  type ActOf,
  expirySeconds,
  type NewJobAct,
  passSeconds,
  type Told,
  waitSeconds,
} from './acts.fixture.js';
import { leaseSeconds } from './model.fixture.js';

export const queueName = 'q';
const receiver = 'w1';
const ignore = { onEffects: () => undefined };

/** Where the jobs of callbacks wait, which nobody takes. */
export const callbackQueue = 'callbacks';

/** Whose jobs, and where calls are recorded. */
export interface Tenant {
  id: string;
  batch: string;
  history: History;
  now(): number;
}

/** Performs acts as services do, on at most two connections: one of the request role, one of maintenance. */
export class Performer {
  /** Errors that callers see only as a generic one. */
  readonly errors: unknown[] = [];
  private readonly db: Database;
  private readonly engine: JobEngine;
  private readonly maintenance: Maintenance;
  private readonly operations: Operations;

  /** @param number of an actor, which waits at points; 0 passes them */
  constructor(
    private readonly fixture: EngineFixture,
    readonly number: number,
  ) {
    const { appUrl, systemUrl } = fixture.database;
    const urls = { appUrl: asActor(appUrl, number), systemUrl: asActor(systemUrl, number) };
    // A claim waits at more than twenty points for the scheduler, and each takes a second on a machine with much other work.
    this.db = openConnections(urls, { maxConnections: 1, maxSystemConnections: 1, queryTimeoutMs: 120_000 });
    const onError = (error: unknown) => this.errors.push(error);
    this.engine = new JobEngine(this.db, {
      ...ignore,
      onError,
      sharedLockMs: 15_000,
      random: () => 0.5,
    });
    this.maintenance = new Maintenance(this.db, { ...ignore, onError });
    this.operations = new Operations(this.db, { ...ignore, overrides: {}, onError });
  }

  /** Its server processes, which may change between schedules. */
  async pids(): Promise<number[]> {
    const sql = 'SELECT pg_backend_pid() AS pid';
    const [app, system] = await Promise.all([
      this.db.inBatch((tx) => tx.query<{ pid: number }>(sql)),
      this.db.asSystem('find its process', (tx) => tx.query<{ pid: number }>(sql)),
    ]);
    return [app[0]!.pid, system[0]!.pid];
  }

  close(): Promise<void> {
    return this.db.close();
  }

  /** Never rejects. */
  async perform(act: Act, tenant: Tenant): Promise<Told> {
    try {
      return await this.attempt(act, tenant);
    } catch (error) {
      this.errors.push(error);
      return { outcome: 'failed' };
    }
  }

  private async attempt(act: Act, tenant: Tenant): Promise<Told> {
    switch (act.verb) {
      case 'pause':
        return this.change(tenant, (tx) =>
          pauseQueue(tx, queueName, { reason: null, expiresAt: null }, { maxRetries: 3, timeoutSeconds: 300 }),
        );
      case 'resume':
        return this.change(tenant, (tx) => resumeQueue(tx, queueName));
      case 'pass':
        await passTime(this.fixture, tenant.history, passSeconds);
        return { outcome: 'ok' };
      case 'recover':
        await this.maintenance.recoverExpiredLeases(1000);
        return { outcome: 'ok' };
      case 'expire':
        await this.maintenance.expireJobs(1000);
        return { outcome: 'ok' };
      case 'advance':
        await this.operations.advance(100);
        return { outcome: 'ok' };
      case 'retain':
        await this.retain(tenant);
        return { outcome: 'ok' };
      case 'deleteQueue':
      case 'deleteCallbacks':
        return this.send(deletionOf(act.verb === 'deleteQueue' ? queueName : callbackQueue, tenant));
      case 'createBatch':
        return this.send(newBatch(tenant));
      case 'closeBatch':
        return this.send(command('batch.close', tenant.id, { batchId: tenant.batch, queues: null }));
      case 'cancelBatch':
        return this.send(command('batch.cancel', tenant.id, { batchId: tenant.batch, queues: null }));
      default:
        return this.call(callFor(act, tenant), tenant);
    }
  }

  private async change(tenant: Tenant, work: (tx: TenantTransaction) => Promise<unknown>): Promise<Told> {
    await this.db.withTenant(tenant.id, work);
    return { outcome: 'ok' };
  }

  private async send(sent: Command): Promise<Told> {
    const [outcome] = await this.engine.execute([sent]);
    if (!outcome!.ok) return { outcome: outcome!.error.status >= 500 ? 'failed' : 'refused' };
    const { closed, cancelled } = outcome!.value as Partial<
      CommandResult<'batch.close'> & CommandResult<'batch.cancel'>
    >;
    return { outcome: 'ok', hasChanged: closed ?? cancelled };
  }

  /** Batches are old at once. */
  private async retain({ id }: Tenant): Promise<void> {
    const periods = [{ organizationId: id, days: 0 }];
    for (const kind of ['batchJobs', 'batches'] as const) {
      await this.db.asSystem('retention', (tx) =>
        deleteExpiredRecords(tx, kind, periods, { limit: 100, lookBackSeconds: null }),
      );
    }
  }

  async call<A extends Action>({ action, command, ending }: JobCall<A>, tenant: Tenant): Promise<Told> {
    let isFailed = false;
    const ended: Ending<A> = await tenant.history.record(tenant.id, action, async () => {
      const [outcome] = await this.engine.execute([command(tenant.id)]);
      isFailed = !outcome!.ok && outcome!.error.status >= 500;
      return ending(outcome);
    });
    if (isFailed) return { outcome: 'failed' };
    if (ended.outcome !== 'ok') return { outcome: 'refused' };
    const { answer } = ended as { answer?: unknown };
    if (action.verb === 'enqueue') return { outcome: 'ok', job: answer as string };
    if (action.verb === 'wait') return { outcome: 'ok', isOver: answer as boolean };
    if (action.verb === 'signal') return { outcome: 'ok', isAccepted: (answer as { accepted: boolean }).accepted };
    return action.verb === 'claim' ? { outcome: 'ok', granted: answer as Told['granted'] } : { outcome: 'ok' };
  }

  /** Maintenance without the sweep that finds forgotten children: nothing may need it. */
  async maintain(): Promise<void> {
    await this.maintenance.recoverExpiredLeases(1000);
    await this.maintenance.activateDue(1000);
    await this.maintenance.expireJobs(1000);
    await this.operations.advance(100);
  }
}

export async function passTime(fixture: EngineFixture, history: History, seconds: number): Promise<void> {
  await history.moveClock(seconds * 1000, async () => {
    await fixture.sql('UPDATE moved_clock SET moved_by = moved_by + make_interval(secs => $1)', [seconds]);
  });
}

type Called = ActOf<
  | 'enqueue'
  | 'add'
  | 'claim'
  | 'depend'
  | 'complete'
  | 'fail'
  | 'renew'
  | 'release'
  | 'cancel'
  | 'requestCancel'
  | 'step'
  | 'wait'
  | 'signal'
  | 'retry'
  | 'purge'
>;

function callFor(act: Called, tenant: Tenant): JobCall {
  switch (act.verb) {
    case 'enqueue':
      return enqueueCall(newJobOf(act, tenant));
    case 'add':
      return addCall(tenant.batch, newJobOf(act, tenant));
    case 'claim':
      return claimCall(queueName, receiver, { limit: act.limit, leaseSeconds });
    case 'complete':
      return completeCall(act);
    case 'fail':
      return failCall(act, act.retry);
    case 'renew':
      return renewCall(act);
    case 'release':
      return releaseCall(act);
    case 'depend':
      return dependCall(act.job, act.on);
    case 'requestCancel':
      return requestCancelCall(act.job, act.force);
    case 'step':
      return stepCall(act, act.value);
    case 'wait':
      return waitCall(act, waitSeconds * 1000);
    case 'signal':
      return signalCall(act.job);
    default:
      return { cancel: cancelCall, retry: retryCall, purge: purgeCall }[act.verb](act.job);
  }
}

const deletionOf = (name: string, { id }: Tenant): Command =>
  command('queue.delete', id, { queueName: name, deleteJobs: true, issuedAt: null });

/** With each callback, whose job has its name as type. */
const newBatch = ({ id, batch }: Tenant): Command =>
  command('batch.create', id, {
    batch: { id: batch, name: null, metadata: null },
    callbacks: Object.fromEntries(
      batchCallbacks.map((name) => [name, newJob({ queueName: callbackQueue, jobType: name })]),
    ),
    queues: null,
    quota: unlimited,
    maxOpenBatches: null,
    defaults: { maxRetries: 3, timeoutSeconds: 300 },
  });

const newJobOf = (act: NewJobAct, { now }: Tenant) =>
  newJob({
    id: act.job,
    queueName,
    priority: act.priority,
    maxRetries: act.maxRetries,
    idempotencyKey: act.key,
    parentJobId: act.parent,
    expiresAt: act.expires ? new Date(now() + expirySeconds * 1000).toISOString() : null,
    completionWebhook: 'https://receiver.example/',
  });

function asActor(url: string, number: number): string {
  const changed = new URL(url);
  if (number > 0) changed.searchParams.set('options', `-c interleave.actor=${number}`);
  return changed.href;
}
