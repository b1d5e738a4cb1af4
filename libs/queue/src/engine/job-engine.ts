import type { Command, CommandExecutor, CommandKind, CommandOf, LeaseStore, Outcome } from '@spooled/contracts';
import {
  type BatchTransaction,
  type Database,
  lengthy,
  type TenantTransaction,
  toDatabaseError,
} from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import { cancelJob } from '../cancel/cancel.js';
import { claimBatch } from '../claim/claim.js';
import { LastGrants } from '../claim/last-grants.js';
import { UnansweredClaims } from '../claim/unanswered-claims.js';
import { completeBatch, completeManyBatch, jobsApart, outcomeOfAll } from '../complete/complete.js';
import { purgeDeadLetters, retryDeadLetters } from '../dead-letters/dead-letters.js';
import { addDependencies } from '../dependencies/add-dependencies.js';
import { enqueueBatch } from '../enqueue/enqueue.js';
import { failBatch } from '../fail/fail.js';
import { prioritizeJob } from '../prioritize/prioritize.js';
import { deleteQueue } from '../queues/delete-queue.js';
import { releaseLeases } from '../release/release.js';
import { renewBatch } from '../renew/renew.js';
import { renewWithoutRows } from '../renew/renew-without-rows.js';
import { retryJob } from '../retry/retry.js';
import { triggerSchedule } from '../schedules/trigger-schedule.js';
import { beatWorker, deregisterWorker, registerWorker } from '../workers/workers.js';
import { cancelWorkflow } from '../workflows/cancel-workflow.js';
import { createWorkflow } from '../workflows/create-workflow.js';
import { retryWorkflow } from '../workflows/retry-workflow.js';
import { afterConflict, type EarlierRun } from './after-conflict.js';
import { type BatchStep, refused, succeeded } from './batch-step.js';
import { logOutcomes, loggedOutcomes, logRefusal } from './command-log.js';
import { type Effects, EffectsBuilder, isEmpty } from './effects.js';
import { fence, fencedOff, findFencedOff, isFencedOff } from './fences.js';
import type { SingleStep } from './single-step.js';

export interface JobEngineOptions {
  /** Called after each commit that has something to tell; must not throw. */
  onEffects(effects: Effects): void;
  /** Holds leases between two writes of their rows; absent = rows alone. */
  leases?: LeaseStore;
  /** Even random numbers in [0, 1) for jitter. Default Math.random. */
  random?: () => number;
  /** Told about failures that callers see only as a plain 500 or 503. */
  onError?(error: unknown, what: string): void;
  /** Told by what renewals were answered. */
  onRenewals?(answeredBy: 'lease_store' | 'row', count: number): void;
}

/** In this order within a transaction: all engines take locks in the same order, and a claim sees what was just enqueued. */
const batchedKinds = ['job.enqueue', 'job.complete', 'job.completeMany', 'job.fail', 'job.renew', 'job.claim'] as const;
type BatchedKind = (typeof batchedKinds)[number];
type SingleKind = Exclude<CommandKind, BatchedKind>;

export const isBatched = (kind: CommandKind): kind is BatchedKind => (batchedKinds as readonly string[]).includes(kind);

/** They may touch all that a tenant has; each runs beside the batches, in a transaction of its own. */
const lengthyKinds: ReadonlySet<CommandKind> = new Set<SingleKind>([
  'queue.delete',
  'deadletter.retry',
  'deadletter.purge',
  'workflow.create',
  'workflow.cancel',
  'workflow.retry',
]);

/** A step whose kind is known only at run time; the maps below are checked kind by kind where they are written. */
type AnyBatchStep = BatchStep<CommandKind>;
type AnySingleStep = SingleStep<CommandKind>;

interface Numbered {
  command: Command;
  number: number;
}

type Renewal = Numbered & { command: CommandOf<'job.renew'> };

const isRenewal = (entry: Numbered): entry is Renewal => entry.command.kind === 'job.renew';

type ManyNumbered = Numbered & { command: CommandOf<'job.completeMany'> };

const isMany = (entry: Numbered): entry is ManyNumbered =>
  entry.command.kind === 'job.completeMany' && entry.command.body.jobs.length > 1;

/**
 * Runs commands on PostgreSQL: those of the batched kinds in one transaction for all callers and tenants, one statement per
 * kind (BX-10); the others each in a transaction of its own. A command that fails, fails alone.
 */
export class JobEngine implements CommandExecutor {
  private readonly batchSteps: { [K in BatchedKind]: BatchStep<K> };
  private readonly singleSteps: { [K in SingleKind]: SingleStep<K> } = {
    'job.release': (...step) => releaseLeases(this.options.leases)(...step),
    'job.cancel': cancelJob,
    'job.retry': retryJob,
    'job.depend': addDependencies,
    'job.prioritize': prioritizeJob,
    'deadletter.retry': retryDeadLetters,
    'deadletter.purge': purgeDeadLetters,
    'queue.delete': deleteQueue,
    'schedule.trigger': triggerSchedule,
    'workflow.create': createWorkflow,
    'workflow.cancel': cancelWorkflow,
    'workflow.retry': retryWorkflow,
    'worker.register': registerWorker,
    'worker.heartbeat': beatWorker,
    'worker.deregister': deregisterWorker,
  };

  private readonly unanswered = new UnansweredClaims(async (commands) => {
    const outcomes = await this.execute(commands);
    return outcomes.every(({ ok }) => ok);
  });

  constructor(
    private readonly db: Database,
    private readonly options: JobEngineOptions,
  ) {
    const { leases, random = Math.random } = options;
    this.batchSteps = {
      'job.enqueue': enqueueBatch,
      'job.complete': completeBatch(leases),
      'job.completeMany': completeManyBatch(leases),
      'job.fail': failBatch(random, leases),
      'job.renew': renewBatch(leases),
      'job.claim': claimBatch(new LastGrants()),
    };
  }

  /** Outcome i belongs to command i. Never rejects. */
  async execute(commands: Command[]): Promise<Outcome[]> {
    const outcomes = new Array<Outcome>(commands.length);
    const numbered = commands.map((command, number) => ({ command, number }));
    const batched = numbered.filter(({ command }) => isBatched(command.kind));
    const renewals = batched.filter(isRenewal);
    // Whether a renewal needs a row is asked first, and nobody else waits for that.
    const together = this.options.leases ? batched.filter((entry) => !isRenewal(entry)) : batched;
    const single = numbered.filter(({ command }) => !isBatched(command.kind));
    await Promise.all([
      together.length > 0 ? this.runIsolated(together, outcomes) : undefined,
      renewals.length > 0 ? this.renew(renewals, outcomes) : undefined,
      ...single.map((entry) => this.runSingle(entry, outcomes)),
    ]);
    return outcomes;
  }

  /** Renewals that the lease store answers need no transaction; without one they run together with all the rest. */
  private async renew(entries: Renewal[], outcomes: Outcome[]): Promise<void> {
    const { leases, onRenewals } = this.options;
    if (!leases) return onRenewals?.('row', entries.length);
    const commands = entries.map(({ command }) => command);
    const answers = await renewWithoutRows(leases, commands);
    const rest = entries.filter(({ number }, i) => {
      const answer = answers[i];
      if (answer) outcomes[number] = answer;
      return !answer;
    });
    onRenewals?.('lease_store', entries.length - rest.length);
    onRenewals?.('row', rest.length);
    if (rest.length > 0) await this.runIsolated(rest, outcomes);
  }

  /** One transaction for all; when that fails, one per kind and organization; when that fails too, one per command. */
  private async runIsolated(entries: Numbered[], outcomes: Outcome[]): Promise<void> {
    try {
      await afterConflict((earlier) => this.runTogether(repeated(entries, earlier), outcomes), this.noteConflict);
    } catch (error) {
      if (isFencedOff(error)) return this.runUnfenced(entries, outcomes);
      const groups = split(entries);
      const known = toDatabaseError(error);
      if (known.status !== 503 && groups.length === 1 && isMany(entries[0]!))
        return this.runApart(entries[0], outcomes);
      if (known.status === 503 || groups.length === 1) {
        this.options.onError?.(error, `${entries.length} commands, first of kind ${entries[0]!.command.kind}`);
        if (known.status === 503) this.unanswered.add(entries.map(({ command }) => command));
        for (const { number } of entries) outcomes[number] = refused(known);
        return;
      }
      for (const group of groups) await this.runIsolated(group, outcomes);
    }
  }

  /** Those of which no later delivery has run. */
  private async runUnfenced(entries: Numbered[], outcomes: Outcome[]): Promise<void> {
    const commands = entries.map(({ command }) => command);
    const late = await this.db.inBatch((tx) => findFencedOff(tx, commands)).catch(() => null);
    const isLate = ({ command }: Numbered) => late === null || late.size === 0 || late.has(command.id);
    for (const entry of entries) if (isLate(entry)) outcomes[entry.number] = refused(fencedOff());
    const rest = entries.filter((entry) => !isLate(entry));
    if (rest.length > 0) await this.runIsolated(rest, outcomes);
  }

  private async runApart({ command, number }: ManyNumbered, outcomes: Outcome[]): Promise<void> {
    outcomes[number] = outcomeOfAll((await this.execute(jobsApart(command))) as Outcome<'job.completeMany'>[]);
  }

  private async runTogether(entries: Numbered[], outcomes: Outcome[]): Promise<void> {
    const effects = new EffectsBuilder();
    const found = await this.db.inBatch(async (tx) => {
      const fenced = fence(
        tx,
        entries.map(({ command }) => command),
      );
      const [, ...results] = await Promise.all([
        fenced,
        ...batchedKinds.map((kind) => this.runKind(tx, kind, entries, effects)),
      ]);
      await effects.workflows.settle(tx);
      return results;
    });
    await effects.leases.tell(this.options.leases);
    for (const { number, outcome } of found.flat()) outcomes[number] = outcome;
    this.emit(effects);
  }

  private async runKind(
    tx: BatchTransaction,
    kind: BatchedKind,
    entries: Numbered[],
    effects: EffectsBuilder,
  ): Promise<{ number: number; outcome: Outcome }[]> {
    const own = entries.filter(({ command }) => command.kind === kind);
    if (own.length === 0) return [];
    const step = this.batchSteps[kind] as unknown as AnyBatchStep;
    const results = await step(tx, own.map(({ command }) => command) as CommandOf<CommandKind>[], effects);
    return own.map(({ number }, i) => ({ number, outcome: results[i]! }));
  }

  private async runSingle({ command, number }: Numbered, outcomes: Outcome[]): Promise<void> {
    try {
      const run = (earlier: EarlierRun) => this.runAlone(command, earlier !== 'none' || command.redelivered === true);
      outcomes[number] = await afterConflict(run, this.noteConflict);
    } catch (error) {
      const isRefusal = error instanceof SpooledError && error.status < 500;
      if (!isRefusal) this.options.onError?.(error, command.kind);
      const refusal = refused(toDatabaseError(error));
      outcomes[number] = refusal;
      if (isRefusal && command.redelivered) await this.logRefusal(command, refusal);
    }
  }

  /** Its first run, should it still come, must not do what the caller was told is refused. */
  private async logRefusal(command: Command, outcome: Outcome): Promise<void> {
    await this.db
      .withTenant(command.organizationId, (tx) => logRefusal(tx, command, outcome))
      .catch((error: unknown) => this.options.onError?.(error, `the refusal of a ${command.kind}`));
  }

  /** @param repeated whether the command may have run before */
  private async runAlone(command: Command, repeated: boolean): Promise<Outcome> {
    const effects = new EffectsBuilder();
    const step = this.singleSteps[command.kind as SingleKind] as unknown as AnySingleStep;
    const work = async (tx: TenantTransaction) => {
      const before = repeated ? (await loggedOutcomes(tx, [command])).get(command.id) : undefined;
      if (before) return before;
      const result = succeeded(await step(tx, command as CommandOf<CommandKind>, effects));
      await effects.workflows.settle(tx);
      await logOutcomes(tx, [{ command, outcome: result }]);
      return result;
    };
    const outcome = await this.db.withTenant(
      command.organizationId,
      work,
      lengthyKinds.has(command.kind) ? lengthy : undefined,
    );
    await effects.leases.tell(this.options.leases);
    this.emit(effects);
    return outcome;
  }

  private readonly noteConflict = (error: unknown, what: string): void => this.options.onError?.(error, what);

  private emit(builder: EffectsBuilder): void {
    const effects = builder.build();
    if (!isEmpty(effects)) this.options.onEffects(effects);
  }
}

/**
 * The entries of another run, marked where they may find their own work: each of them after an unknown outcome; after a conflict
 * the enqueues and failures, which another delivery of the command may have carried out meanwhile.
 */
function repeated(entries: Numbered[], earlier: EarlierRun): Numbered[] {
  if (earlier === 'none') return entries;
  return entries.map((entry) =>
    earlier === 'unknown' || entry.command.kind === 'job.enqueue' || entry.command.kind === 'job.fail'
      ? { ...entry, command: { ...entry.command, redelivered: true } }
      : entry,
  );
}

/** Halves by blame: first apart by kind and organization, then command by command. */
function split(entries: Numbered[]): Numbered[][] {
  const groups = new Map<string, Numbered[]>();
  for (const entry of entries) {
    const key = `${entry.command.kind} ${entry.command.organizationId}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups.size > 1 ? [...groups.values()] : entries.map((entry) => [entry]);
}
