import type { Command, CommandExecutor, CommandKind, CommandOf, LeaseStore, Outcome } from '@spooled/contracts';
import { type BatchTransaction, type Database, heldUp, isHeldUp, toDatabaseError } from '@spooled/data-access';
import { unavailable } from '@spooled/domain';
import { ClaimCursors } from '../claim/claim-cursor.js';
import { UnansweredClaims } from '../claim/unanswered-claims.js';
import { mergeOutcomes, splitByJob } from '../complete/complete.js';
import { renewWithoutRows } from '../renew/renew-without-rows.js';
import { type BatchedKind, batchedKinds, commands as definitions, isBatched, type StepContext } from './commands.js';
import { retryAfterConflict, type PreviousRun } from './conflict-retry.js';
import { type BatchStep, refused } from '../step/batch-step.js';
import { type Effects, EffectsBuilder, isEmpty } from '../step/effects.js';
import { fence, fencedOff, findFencedOff, isFencedOff } from './fences.js';
import { inParallel } from './in-parallel.js';
import { type Numbered, repeated, split } from './numbered.js';
import { SharedLockTimeout } from './shared-lock-timeout.js';
import { SingleCommands } from './single-commands.js';

export interface JobEngineOptions {
  /** Called after each commit that has something to tell; must not throw. */
  onEffects(effects: Effects): void;
  /** Holds leases between two writes of their rows; absent = rows alone. */
  leases?: LeaseStore;
  /** Even random numbers in [0, 1) for jitter. Default Math.random. */
  random?: () => number;
  /** Told about failures that callers see only as a plain 500 or 503. */
  onError?(error: unknown, what: string): void;
  /** Told about an organization that waited too long for a lock or took too long, so that others were held up. */
  onHeldUp?(organizationId: string): void;
  /** How long shared transactions wait for a lock. Default: as they take themselves, see `SharedLockTimeout`. */
  sharedLockMs?: number;
  /** Told by what renewals were answered. */
  onRenewals?(answeredBy: 'lease_store' | 'row', count: number): void;
}

/** How long a command waits for a lock when nobody shares its transaction; longer than PostgreSQL's search for a deadlock. */
const aloneLockMs = 1_500;
/** How long after a lock was met the commands of its transaction are still begun. Callers wait for ten seconds. */
const heldUpRunMs = 4_000;
/** Groups of a split transaction that run at once, each with a connection. */
const groupsAtOnce = { shared: 5, apart: 3 };

/** A step whose kind is known only at run time; `commands` is checked kind by kind where it is written. */
type AnyBatchStep = BatchStep<CommandKind>;

type Renewal = Numbered & { command: CommandOf<'job.renew'> };

/** How commands are run that may have to wait for locks. */
interface LockPolicy {
  lockMs: number;
  /** When they are not begun any more. */
  until: number;
  /** Whether those that wait are left to the caller. */
  defers: boolean;
}

type Outcomes = (Outcome | null)[];

const isRenewal = (entry: Numbered): entry is Renewal => entry.command.kind === 'job.renew';

type ManyNumbered = Numbered & { command: CommandOf<'job.completeMany'> };

const isMany = (entry: Numbered): entry is ManyNumbered =>
  entry.command.kind === 'job.completeMany' && entry.command.body.jobs.length > 1;

/**
 * Runs commands on PostgreSQL: those of the batched kinds in one transaction for all callers and tenants, one statement per
 * kind (BX-10); the others each in a transaction of its own. A command that fails, fails alone.
 */
export class JobEngine implements CommandExecutor {
  private readonly sharedLock = new SharedLockTimeout();
  private readonly batchSteps: ReadonlyMap<BatchedKind, AnyBatchStep>;
  private readonly singles: SingleCommands;
  private readonly unanswered = new UnansweredClaims(async (command) => (await this.execute([command]))[0]!.ok);

  constructor(
    private readonly db: Database,
    private readonly options: JobEngineOptions,
  ) {
    const { leases, random = Math.random } = options;
    const context: StepContext = { leases, random, cursors: new ClaimCursors() };
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
    return (await this.run(commands, false)) as Outcome[];
  }

  executeShared(commands: Command[]): Promise<(Outcome | null)[]> {
    return this.run(commands, true);
  }

  private async run(commands: Command[], defers: boolean): Promise<(Outcome | null)[]> {
    const outcomes = new Array<Outcome | null>(commands.length).fill(null);
    const numbered = commands.map((command, number) => ({ command, number }));
    const batched = numbered.filter(({ command }) => isBatched(command));
    const renewals = batched.filter(isRenewal);
    // Whether a renewal needs a row is asked first, and nobody else waits for that.
    const together = this.options.leases ? batched.filter((entry) => !isRenewal(entry)) : batched;
    const single = numbered.filter(({ command }) => !isBatched(command));
    const policy = { lockMs: this.options.sharedLockMs ?? this.sharedLock.ms, until: Infinity, defers };
    await Promise.all([
      together.length > 0 ? this.runIsolated(together, outcomes, policy) : undefined,
      renewals.length > 0 ? this.renew(renewals, outcomes, policy) : undefined,
      ...single.map(async ({ command, number }) => (outcomes[number] = await this.singles.run(command))),
    ]);
    return outcomes;
  }

  /** Renewals that the lease store answers need no transaction; without one they run together with all the rest. */
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
    if (performance.now() > policy.until) return this.refuse(entries, heldUp(undefined), outcomes);
    try {
      const run = (earlier: PreviousRun) => this.runTogether(repeated(entries, earlier), outcomes, policy.lockMs);
      await retryAfterConflict(run, this.noteConflict);
    } catch (error) {
      if (isFencedOff(error)) return this.runUnfenced(entries, outcomes, policy);
      if (isHeldUp(error)) return this.runHeldUp(entries, outcomes, policy, error);
      const groups = split(entries);
      const known = toDatabaseError(error);
      if (known.status !== 503 && groups.length === 1 && isMany(entries[0]!))
        return this.runApart(entries[0], outcomes);
      if (known.status === 503 || groups.length === 1) return this.refuse(entries, error, outcomes);
      for (const group of groups) await this.runIsolated(group, outcomes, policy);
    }
  }

  /** The commands of a transaction that met a lock or took too long: side by side, so that only those wait that have to. */
  private async runHeldUp(entries: Numbered[], outcomes: Outcomes, policy: LockPolicy, error: unknown): Promise<void> {
    const [first] = entries as [Numbered];
    const { organizationId } = first.command;
    if (entries.every(({ command }) => command.organizationId === organizationId)) {
      this.options.onHeldUp?.(organizationId);
      if (policy.defers) return;
    }
    if (policy.lockMs === aloneLockMs) {
      return isMany(first) ? this.runApart(first, outcomes) : this.refuse(entries, error, outcomes);
    }
    const { defers } = policy;
    const until = Math.min(policy.until, performance.now() + heldUpRunMs);
    const alone = (group: Numbered[]) => (group.length === 1 ? aloneLockMs : policy.lockMs);
    // Found out quickly where others wait for it; else one after the other within a kind, so that few connections wait.
    const atOnce = defers ? groupsAtOnce.shared : policy.until === Infinity ? groupsAtOnce.apart : 1;
    await inParallel(split(entries), atOnce, (group) => {
      const lockMs = defers ? Math.round(policy.lockMs / 4) : alone(group);
      return this.runIsolated(group, outcomes, { lockMs, until, defers });
    });
  }

  private refuse(entries: Numbered[], error: unknown, outcomes: Outcomes): void {
    const known = toDatabaseError(error);
    this.options.onError?.(error, `${entries.length} commands, first of kind ${entries[0]!.command.kind}`);
    if (known.status === 503) this.unanswered.add(entries.map(({ command }) => command));
    for (const { number } of entries) outcomes[number] = refused(known);
  }

  /** Those of which no later delivery has run. */
  private async runUnfenced(entries: Numbered[], outcomes: Outcomes, policy: LockPolicy): Promise<void> {
    const commands = entries.map(({ command }) => command);
    try {
      const late = await this.db.inBatch((tx) => findFencedOff(tx, commands));
      if (late.size === 0) throw unavailable('PostgreSQL', 1, new Error('a fence is gone again'));
      for (const { command, number } of entries) if (late.has(command.id)) outcomes[number] = refused(fencedOff());
      const rest = entries.filter(({ command }) => !late.has(command.id));
      if (rest.length > 0) await this.runIsolated(rest, outcomes, policy);
    } catch (error) {
      this.refuse(entries, error, outcomes);
    }
  }

  private async runApart({ command, number }: ManyNumbered, outcomes: Outcomes): Promise<void> {
    outcomes[number] = mergeOutcomes((await this.execute(splitByJob(command))) as Outcome<'job.completeMany'>[]);
  }

  private async runTogether(entries: Numbered[], outcomes: Outcomes, lockMs: number): Promise<void> {
    const effects = new EffectsBuilder();
    const startedAt = performance.now();
    const commands = entries.map(({ command }) => command);
    const work = async (tx: BatchTransaction) => {
      const [, ...results] = await Promise.all([
        fence(tx, commands),
        ...batchedKinds.map((kind) => this.runKind(tx, kind, entries, effects)),
      ]);
      await effects.workflows.settle(tx);
      return results;
    };
    const found = await this.db.inBatch(work, { lockMs });
    this.sharedLock.note(performance.now() - startedAt);
    await effects.leases.apply(this.options.leases);
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
    const step = this.batchSteps.get(kind)!;
    const results = await step(tx, own.map(({ command }) => command) as CommandOf<CommandKind>[], effects);
    return own.map(({ number }, i) => ({ number, outcome: results[i]! }));
  }

  private readonly noteConflict = (error: unknown, what: string): void => this.options.onError?.(error, what);

  private emit(builder: EffectsBuilder): void {
    const effects = builder.build();
    if (!isEmpty(effects)) this.options.onEffects(effects);
  }
}
