import { systemClock } from '@spooled/clock';
import type {
  Command,
  CommandExecutor,
  CommandKind,
  CommandOf,
  Deferral,
  LeaseStore,
  NotRun,
  Outcome,
} from '@spooled/contracts';
import {
  type BatchTransaction,
  type Database,
  statementTimeoutError,
  isStatementTimeout,
  toDatabaseError,
} from '@spooled/data-access';
import { type Clock, unavailable } from '@spooled/domain';
import { ClaimCursors } from '../claim/claim-cursor.js';
import { UnansweredClaims } from '../claim/unanswered-claims.js';
import type { Latencies } from '../latencies/latencies.js';
import { mergeOutcomes, splitByJob } from '../complete/complete.js';
import { renewWithoutRows } from '../renew/renew.js';
import { type BatchedKind, batchedKinds, commands as definitions, isBatched, type StepContext } from './commands.js';
import { retryAfterConflict, type PreviousRun } from './conflict-retry.js';
import { type BatchStep, refused } from '../step/batch-step.js';
import { type Effects, EffectsBuilder } from '../step/effects.js';
import { fence, supersededError, findSuperseded, isSuperseded } from './fences.js';
import { inParallel } from './in-parallel.js';
import { type Numbered, markRedelivered, split } from './numbered.js';
import { SharedLockTimeout } from './shared-lock-timeout.js';
import { SingleCommands } from './single-commands.js';

export interface JobEngineOptions {
  /** Called after each commit that has effects; must not throw. */
  onEffects(effects: Effects): void;
  /** Whether batches make live events; false where nobody receives them. Default true. */
  events?: boolean;
  /** Counts how long jobs waited and ran; absent = nobody asks. */
  latencies?: Latencies;
  /** Holds leases between two writes of their rows; absent = rows only. */
  leases?: LeaseStore;
  /** Uniform random numbers in [0, 1) for jitter. Default Math.random. */
  random?: () => number;
  /** Default: the system's. */
  clock?: Clock;
  /** Called with errors that callers see only as a generic 500 or 503. */
  onError?(error: unknown, what: string): void;
  /** Called with an organization that exceeded a lock or statement timeout and blocked others. */
  onBlocked?(organizationId: string): void;
  /** Lock timeout of shared transactions. Default: adaptive, see `SharedLockTimeout`. */
  sharedLockMs?: number;
  /** Called with the source that answered renewals. */
  onRenewals?(answeredBy: 'lease_store' | 'row', count: number): void;
}

/** Lock timeout of a transaction with a single command; longer than PostgreSQL's `deadlock_timeout`. */
const singleLockMs = 1_500;
/** Shortest lock timeout of a group of a split transaction whose blocked commands are run separately. */
const groupLockMs = 25;
/** After a lock timeout, the commands of the split transaction start no later than this. Callers wait for 10 s. */
const blockedRunMs = 4_000;
/** Groups of a split transaction that run concurrently, each on a connection. */
const concurrentGroups = { organizations: 5, commands: 3 };

/** A step whose kind is known only at run time; `commands` is checked kind by kind where it is written. */
type AnyBatchStep = BatchStep<CommandKind>;

type Renewal = Numbered & { command: CommandOf<'job.renew'> };

/** How to run commands that may have to wait for locks. */
interface LockPolicy {
  lockMs: number;
  /** No run starts after this, on the monotonic clock. */
  until: number;
  /** Which blocked commands are returned to the caller without an outcome; null = none. */
  deferral: Deferral | null;
}

type Outcomes = (Outcome | NotRun)[];

const isRenewal = (entry: Numbered): entry is Renewal => entry.command.kind === 'job.renew';

type NumberedMany = Numbered & { command: CommandOf<'job.completeMany'> };

const isMany = (entry: Numbered): entry is NumberedMany =>
  entry.command.kind === 'job.completeMany' && entry.command.body.jobs.length > 1;

/**
 * Runs commands on PostgreSQL: batched kinds in one transaction for all callers and tenants with one statement per kind
 * (BX-10), other kinds each in a transaction of its own. A failing command fails alone.
 */
export class JobEngine implements CommandExecutor {
  private readonly sharedLock = new SharedLockTimeout();
  private readonly batchSteps: ReadonlyMap<BatchedKind, AnyBatchStep>;
  private readonly singles: SingleCommands;
  private readonly clock: Clock;
  private readonly unanswered: UnansweredClaims;

  constructor(
    private readonly db: Database,
    private readonly options: JobEngineOptions,
  ) {
    const { leases, random = Math.random, clock = systemClock } = options;
    this.clock = clock;
    this.unanswered = new UnansweredClaims(clock, async (command) => (await this.execute([command]))[0]!.ok);
    const context: StepContext = { leases, random, clock, cursors: new ClaimCursors(clock) };
    this.singles = new SingleCommands(db, {
      context,
      onError: options.onError,
      onEffects: (builder) => this.emit(builder),
    });
    this.batchSteps = new Map(
      batchedKinds.map((kind) => [kind, definitions[kind].step(context) as unknown as AnyBatchStep]),
    );
  }

  /** Outcome i belongs to command i. Never rejects. */
  async execute(commands: Command[]): Promise<Outcome[]> {
    const outcomes = await this.run(commands, null);
    const full = commands.filter((_, i) => outcomes[i] === 'full');
    const later = full.length > 0 ? await this.execute(full) : [];
    let next = 0;
    return outcomes.map((outcome) => (outcome === 'full' ? later[next++]! : (outcome as Outcome)));
  }

  /** Ends the work that continues without a caller. Call it when all commands have their outcome, before the database closes. */
  close(): Promise<void> {
    return this.unanswered.close();
  }

  abandon(claims: CommandOf<'job.claim'>[]): void {
    this.unanswered.add(claims as Command[]);
  }

  executeShared(commands: Command[], deferral: Deferral): Promise<(Outcome | NotRun)[]> {
    return this.run(commands, deferral);
  }

  private async run(commands: Command[], deferral: Deferral | null): Promise<Outcomes> {
    const outcomes = new Array<Outcome | NotRun>(commands.length).fill('blocked');
    const numbered = commands.map((command, number) => ({ command, number }));
    const batched = numbered.filter(({ command }) => isBatched(command));
    const renewals = batched.filter(isRenewal);
    // Renewals ask the lease store first; the other commands do not wait for that.
    const shared = this.options.leases ? batched.filter((entry) => !isRenewal(entry)) : batched;
    const single = numbered.filter(({ command }) => !isBatched(command));
    const policy = { lockMs: this.options.sharedLockMs ?? this.sharedLock.ms, until: Infinity, deferral };
    await Promise.all([
      shared.length > 0 ? this.runIsolated(shared, outcomes, policy) : undefined,
      renewals.length > 0 ? this.renew(renewals, outcomes, policy) : undefined,
      ...single.map(async ({ command, number }) => (outcomes[number] = await this.singles.run(command))),
    ]);
    return outcomes;
  }

  /** Renewals that the lease store answers need no transaction; without a store they run with the batch. */
  private async renew(entries: Renewal[], outcomes: Outcomes, policy: LockPolicy): Promise<void> {
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
    if (rest.length > 0) await this.runIsolated(rest, outcomes, policy);
  }

  /** One transaction for all; when that fails, one per kind and organization; when that fails too, one per command. */
  private async runIsolated(entries: Numbered[], outcomes: Outcomes, policy: LockPolicy): Promise<void> {
    if (this.clock.monotonic() > policy.until) return this.refuse(entries, statementTimeoutError(undefined), outcomes);
    try {
      const run = (earlier: PreviousRun) => {
        markRedelivered(entries, earlier);
        return this.runTransaction(entries, outcomes, policy.lockMs);
      };
      await retryAfterConflict(this.clock, run, this.logConflict);
    } catch (error) {
      if (isSuperseded(error)) return this.runUnfenced(entries, outcomes, policy);
      if (isStatementTimeout(error)) return this.runBlocked(entries, outcomes, policy, error);
      const groups = split(entries);
      const known = toDatabaseError(error);
      if (known.status !== 503 && groups.length === 1 && isMany(entries[0]!))
        return this.runJobByJob(entries[0], outcomes);
      if (known.status === 503 || groups.length === 1) return this.refuse(entries, error, outcomes);
      for (const group of groups) await this.runIsolated(group, outcomes, policy);
    }
  }

  /** Runs the commands of a transaction that exceeded a timeout in smaller groups, so that only blocked ones wait. */
  private async runBlocked(entries: Numbered[], outcomes: Outcomes, policy: LockPolicy, error: unknown): Promise<void> {
    const [first] = entries as [Numbered];
    const { organizationId } = first.command;
    if (entries.every(({ command }) => command.organizationId === organizationId)) {
      this.options.onBlocked?.(organizationId);
      if (policy.deferral === 'organizations' || (policy.deferral && entries.length === 1)) return;
    }
    if (policy.lockMs === singleLockMs) {
      return isMany(first) ? this.runJobByJob(first, outcomes) : this.refuse(entries, error, outcomes);
    }
    const { deferral } = policy;
    const until = Math.min(policy.until, this.clock.monotonic() + blockedRunMs);
    const lockMsOf = (group: Numbered[]) => (group.length === 1 ? singleLockMs : policy.lockMs);
    // Where others wait, find the blocked group quickly; otherwise run groups sequentially within a kind, to hold few connections.
    const concurrency = policy.until < Infinity && !deferral ? 1 : concurrentGroups[deferral ?? 'commands'];
    await inParallel(split(entries), concurrency, (group) => {
      const lockMs = deferral ? Math.max(groupLockMs, Math.round(policy.lockMs / 4)) : lockMsOf(group);
      return this.runIsolated(group, outcomes, { lockMs, until, deferral });
    });
  }

  private refuse(entries: Numbered[], error: unknown, outcomes: Outcomes): void {
    const known = toDatabaseError(error);
    this.options.onError?.(error, `${entries.length} commands, first of kind ${entries[0]!.command.kind}`);
    if (known.status === 503) this.unanswered.add(entries.map(({ command }) => command));
    for (const { number } of entries) outcomes[number] = refused(known);
  }

  /** Runs those commands of which no later delivery has run. */
  private async runUnfenced(entries: Numbered[], outcomes: Outcomes, policy: LockPolicy): Promise<void> {
    const commands = entries.map(({ command }) => command);
    try {
      const late = await this.db.inBatch((tx) => findSuperseded(tx, commands));
      if (late.size === 0) throw unavailable('PostgreSQL', 1, new Error('command fence no longer exists'));
      for (const { command, number } of entries) if (late.has(command)) outcomes[number] = refused(supersededError());
      const rest = entries.filter(({ command }) => !late.has(command));
      if (rest.length > 0) await this.runIsolated(rest, outcomes, policy);
    } catch (error) {
      this.refuse(entries, error, outcomes);
    }
  }

  private async runJobByJob({ command, number }: NumberedMany, outcomes: Outcomes): Promise<void> {
    outcomes[number] = mergeOutcomes((await this.execute(splitByJob(command))) as Outcome<'job.completeMany'>[]);
  }

  private async runTransaction(entries: Numbered[], outcomes: Outcomes, lockMs: number): Promise<void> {
    const effects = new EffectsBuilder(this.options.events);
    const startedAt = this.clock.monotonic();
    const commands = entries.map(({ command }) => command);
    const work = async (tx: BatchTransaction) => {
      const [, ...outcomesByKind] = await Promise.all([
        fence(tx, commands),
        ...batchedKinds.map((kind) => this.runKind(tx, kind, entries, effects)),
      ]);
      await effects.updateWorkflows(tx);
      return outcomesByKind;
    };
    const results = await this.db.inBatch(work, { lockMs });
    this.sharedLock.record(this.clock.monotonic() - startedAt);
    await effects.leases.apply(this.options.leases);
    for (const { number, outcome } of results.flat()) outcomes[number] = outcome;
    this.emit(effects);
  }

  private async runKind(
    tx: BatchTransaction,
    kind: BatchedKind,
    entries: Numbered[],
    effects: EffectsBuilder,
  ): Promise<{ number: number; outcome: Outcome | NotRun }[]> {
    const own = entries.filter(({ command }) => command.kind === kind);
    if (own.length === 0) return [];
    const step = this.batchSteps.get(kind)!;
    const results = await step(tx, own.map(({ command }) => command) as CommandOf<CommandKind>[], effects);
    return own.map(({ number }, i) => ({ number, outcome: results[i]! }));
  }

  private readonly logConflict = (error: unknown, what: string): void => this.options.onError?.(error, what);

  private emit(builder: EffectsBuilder): void {
    this.options.latencies?.add(builder.durations);
    builder.publish(this.options);
  }
}
