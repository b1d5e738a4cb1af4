import { systemClock } from '@spooled/clock';
import type { Command, CommandExecutor, CommandKind, CommandOf, Deferral, Outcome } from '@spooled/contracts';
import { type Clock, FairQueue, internalError, unavailable } from '@spooled/domain';
import type { BlockedTenants } from '../step/blocked-tenants.js';
import { isBatched } from './commands.js';
import { separateKinds } from './separate-kinds.js';

export interface GroupCommitOptions {
  /** Commands in one transaction. Default 256. */
  maxBatchCommands?: number;
  /**
   * Jobs that the commands of one transaction may touch, to bound its duration. A larger command runs in a transaction
   * of its own. Default 1,000.
   */
  maxBatchJobs?: number;
  /** Bytes of payloads, results and log lines in one transaction. Default 8 MiB, to bound the heap that a batch holds. */
  maxBatchBytes?: number;
  /**
   * Concurrent transactions. Few: commands that arrive while one commits form the next batch, which makes batches large
   * under load. Default 3.
   */
  concurrency?: number;
  /**
   * Runs enqueues, claims and other commands of a large batch in concurrent transactions, up to `concurrency`.
   * For a process whose producers and workers wait for each other: their next commands all arrive when a batch ends, so there would
   * never be a second one (one transaction in flight during 97 % of the time). Default false.
   */
  separatesKinds?: boolean;
  /**
   * Waiting commands, to bound the heap. Beyond them organizations with more than their share get 503, beyond twice as many all do.
   * Default 10,000.
   */
  maxWaiting?: number;
  /** Organizations that currently wait for locks; they get separate batches, so that the others do not wait with them. */
  blocked?: Pick<BlockedTenants, 'any' | 'has'>;
  /** Default: the system's. */
  clock?: Clock;
  /** Called with the number of commands of each transaction. */
  onBatch?(commands: number): void;
  /** Called with what an executor has thrown; callers see only 500. */
  onError?(error: unknown, what: string): void;
}

/** Concurrent batches of blocked organizations; each holds a connection that mostly waits for a lock. */
const maxIsolatedBatches = 2;
/** Concurrent commands that wait for a lock alone; each holds a connection. */
const maxAlone = 2;
/** Longest time that a blocked command waits for its turn to wait for its lock. */
const longestTurnMs = 4_000;

/** Waiting commands that are always within an organization's share. */
const smallestShare = 4;

interface Waiting {
  command: Command;
  bytes: number;
  jobs: number;
  /** On the monotonic clock; after it, the caller has given up. */
  deadline: number;
  resolve(outcome: Outcome): void;
}

/**
 * Runs the commands of many callers in shared transactions and resolves each caller with its own outcome (BX-10). There
 * is no linger: an idle engine runs a command at once, a busy one runs all commands that arrived in the meantime. Batches
 * take commands from organizations round robin. While shared batches run, one reserved batch is open to organizations
 * without commands in flight, so that they wait neither for a flood's transactions nor inside them (BX-03).
 * Organizations whose commands are blocked by locks get isolated batches, at most one at a time each; the blocked commands themselves
 * wait alone, so that the organization's other commands do not wait with them.
 */
export class GroupCommit {
  private readonly queue = new FairQueue<Waiting>();
  /** Commands that were found blocked in an isolated batch. */
  private readonly blockedCommands = new FairQueue<Waiting>();
  private readonly alone = new Set<string>();
  private readonly clock: Clock;
  private readonly maxBatchCommands: number;
  private readonly maxBatchJobs: number;
  private readonly maxBatchBytes: number;
  private readonly concurrency: number;
  private readonly maxWaiting: number;
  private readonly inFlight = new Map<string, number>();
  private running = 0;
  private reservedRunning = false;
  private isolated = 0;
  private singles = 0;
  private scheduled = false;
  private drained: (() => void)[] = [];

  constructor(
    private readonly executor: CommandExecutor,
    private readonly options: GroupCommitOptions = {},
  ) {
    this.clock = options.clock ?? systemClock;
    this.maxBatchCommands = options.maxBatchCommands ?? 256;
    this.maxBatchJobs = options.maxBatchJobs ?? 1_000;
    this.maxBatchBytes = options.maxBatchBytes ?? 8 * 1024 * 1024;
    this.concurrency = options.concurrency ?? 3;
    this.maxWaiting = options.maxWaiting ?? 10_000;
  }

  /** Number of commands waiting for a transaction. */
  get waiting(): number {
    return this.queue.size + this.blockedCommands.size;
  }

  /** Resolves with the command's outcome after the commit; never rejects. */
  submit<K extends CommandKind>(command: CommandOf<K>): Promise<Outcome<K>> {
    if (this.isFull(command.organizationId)) return Promise.resolve(this.refuse(command as Command));
    return new Promise((resolve) => {
      const waiting: Waiting = {
        command: command as Command,
        bytes: sizeOf(command as Command),
        jobs: jobsIn(command as Command),
        deadline: this.clock.monotonic() + command.ttlMs,
        resolve: resolve as (outcome: Outcome) => void,
      };
      if (isBatched(command)) {
        this.queue.push(command.organizationId, waiting);
        this.schedule();
      } else {
        this.singles++;
        void this.run([waiting], null).finally(() => this.finish(() => this.singles--));
      }
    });
  }

  /** See `CommandExecutor.abandon`. */
  abandon(claim: CommandOf<'job.claim'>): void {
    this.executor.abandon?.([claim]);
  }

  private isFull(organizationId: string): boolean {
    if (this.waiting < this.maxWaiting) return false;
    return this.waiting >= 2 * this.maxWaiting || !this.queue.isWithinShare(organizationId, smallestShare);
  }

  /** Resolves when every submitted command has its outcome. */
  drain(): Promise<void> {
    if (this.isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.drained.push(resolve));
  }

  /** After the current turn of the event loop, so that commands that arrived together share a batch. */
  private schedule(): void {
    if (this.scheduled || (this.running >= this.concurrency && this.reservedRunning && !this.anyBlocked)) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.startBlockedCommands();
      if (this.anyBlocked) this.startIsolatedBatches();
      this.startReservedBatch();
      while (this.running < this.concurrency && this.startBatch());
      // All that were left may have been too old to run.
      this.endIfIdle();
    });
  }

  private get anyBlocked(): boolean {
    return this.options.blocked?.any === true;
  }

  private readonly isShared = (organizationId: string): boolean => !this.options.blocked?.has(organizationId);

  /** False when no waiting command may share a transaction. */
  private startBatch(): boolean {
    if (this.queue.size === 0) return false;
    const batch = this.takeBatch(() => (this.anyBlocked ? this.queue.nextAmong(this.isShared) : this.queue.next));
    if (batch.length === 0) return false;
    const most = this.options.separatesKinds ? this.concurrency - this.running : 1;
    for (const part of separateKinds(batch, most)) {
      this.running++;
      void this.runBatch(part).finally(() => this.finish(() => this.running--));
    }
    return true;
  }

  private startIsolatedBatches(): void {
    for (const organizationId of this.queue.waiting()) {
      if (this.isolated >= maxIsolatedBatches) return;
      if (this.isShared(organizationId) || this.inFlight.has(organizationId)) continue;
      const batch = this.takeBatch(() => organizationId);
      if (batch.length === 0) continue;
      this.isolated++;
      void this.runBatch(batch, 'commands').finally(() => this.finish(() => this.isolated--));
    }
  }

  /** Each waits for its lock by itself, one of each organization. */
  private startBlockedCommands(): void {
    for (const organizationId of this.blockedCommands.waiting()) {
      if (this.alone.size >= maxAlone) return;
      if (this.alone.has(organizationId)) continue;
      let next = this.blockedCommands.take(organizationId);
      while (next && this.refuseExpired(next)) next = this.blockedCommands.take(organizationId);
      if (!next) continue;
      this.alone.add(organizationId);
      void this.run([next], null).finally(() => this.finish(() => this.alone.delete(organizationId)));
    }
  }

  /** One command of each organization without commands in flight. On an idle system they join the shared batch. */
  private startReservedBatch(): void {
    if (this.reservedRunning || this.running === 0) return;
    const isEligible = (organizationId: string) => !this.inFlight.has(organizationId) && this.isShared(organizationId);
    const eligible = this.queue.waiting().filter(isEligible);
    const batch = this.takeBatch(() => eligible.shift());
    if (batch.length === 0) return;
    this.reservedRunning = true;
    void this.runBatch(batch).finally(() => this.finish(() => (this.reservedRunning = false)));
  }

  private takeBatch(nextTenant: () => string | undefined): Waiting[] {
    const batch: Waiting[] = [];
    let bytes = 0;
    let jobs = 0;
    const now = this.clock.monotonic();
    while (batch.length < this.maxBatchCommands) {
      const tenant = nextTenant();
      const next = this.queue.peek(tenant);
      if (tenant === undefined || !next) break;
      const fits = bytes + next.bytes <= this.maxBatchBytes && jobs + next.jobs <= this.maxBatchJobs;
      if (batch.length > 0 && !fits) break;
      this.queue.take(tenant);
      if (this.refuseExpired(next, now)) continue;
      bytes += next.bytes;
      jobs += next.jobs;
      batch.push(next);
    }
    return batch;
  }

  /** Whether the command is too old to run; its caller gets 503. */
  private refuseExpired({ command, deadline, resolve }: Waiting, now = this.clock.monotonic()): boolean {
    if (deadline >= now) return false;
    resolve(this.refuse(command));
    return true;
  }

  /** Refuses a command that was not run, with 503. An earlier run of it may have granted jobs, which nobody receives then. */
  private refuse(command: Command): Outcome & { ok: false } {
    if (command.redelivered && command.kind === 'job.claim') this.abandon(command);
    return { ok: false, error: unavailable('queue engine', 1).toShape() };
  }

  /** Commands for which their transaction was full run in the next one, before others, and the rest is answered in the meantime. */
  private async runBatch(batch: Waiting[], deferral: Deferral = 'organizations'): Promise<void> {
    this.countInFlight(batch, 1);
    for (let rest = batch; rest.length > 0;) {
      this.options.onBatch?.(rest.length);
      const left = await this.run(rest, this.options.blocked ? deferral : null);
      const full = left.filter((waiting) => !this.refuseExpired(waiting));
      const ended = rest.filter((waiting) => !full.includes(waiting));
      this.countInFlight(ended, -1);
      rest = full;
    }
  }

  private countInFlight(batch: Waiting[], change: 1 | -1): void {
    for (const { command } of batch) {
      const commands = (this.inFlight.get(command.organizationId) ?? 0) + change;
      if (commands > 0) this.inFlight.set(command.organizationId, commands);
      else this.inFlight.delete(command.organizationId);
    }
  }

  /** @returns those for which the transaction was full; it never is for one command */
  private async run(batch: Waiting[], deferral: Deferral | null): Promise<Waiting[]> {
    const commands = batch.map(({ command }) => command);
    try {
      const outcomes = await (deferral && this.executor.executeShared
        ? this.executor.executeShared(commands, deferral)
        : this.executor.execute(commands));
      return batch.filter((waiting, i) => {
        const outcome = outcomes[i]!;
        if (outcome === 'full') return true;
        if (outcome === 'blocked') this.defer(waiting, deferral);
        else waiting.resolve(outcome);
        return false;
      });
    } catch (error) {
      // Executors must not throw; if one does, its callers still get an outcome.
      this.options.onError?.(error, `${batch.length} commands, first of kind ${commands[0]!.kind}`);
      for (const { resolve } of batch) resolve({ ok: false, error: internalError(error).toShape() });
      return [];
    }
  }

  private defer(waiting: Waiting, deferral: Deferral | null): void {
    const { organizationId } = waiting.command;
    if (deferral !== 'commands') return this.queue.push(organizationId, waiting);
    waiting.deadline = Math.min(waiting.deadline, this.clock.monotonic() + longestTurnMs);
    this.blockedCommands.push(organizationId, waiting);
  }

  private finish(count: () => void): void {
    count();
    if (this.waiting > 0) this.schedule();
    else this.endIfIdle();
  }

  private endIfIdle(): void {
    if (this.isIdle()) for (const resolve of this.drained.splice(0)) resolve();
  }

  private isIdle(): boolean {
    return (
      this.running === 0 &&
      !this.reservedRunning &&
      this.isolated === 0 &&
      this.alone.size === 0 &&
      this.singles === 0 &&
      this.waiting === 0
    );
  }
}

function sizeOf(command: Command): number {
  if (command.kind === 'job.enqueue') return command.body.jobs.reduce((sum, job) => sum + job.payload.length, 0);
  if (command.kind === 'job.completeMany') {
    return command.body.jobs.reduce((sum, { result }) => sum + (result?.length ?? 0), 0);
  }
  if (command.kind === 'job.complete' || command.kind === 'job.recordStep') return command.body.result?.length ?? 0;
  if (command.kind === 'job.appendLogs') {
    return command.body.lines.reduce((sum, { message, fields }) => sum + message.length + (fields?.length ?? 0), 0);
  }
  return 0;
}

function jobsIn({ kind, body }: Command): number {
  if (kind === 'job.enqueue' || kind === 'job.completeMany') return body.jobs.length;
  return kind === 'job.claim' ? body.limit : 1;
}
