import type { Command, CommandExecutor, CommandKind, CommandOf, Outcome } from '@spooled/contracts';
import { internalError, unavailable } from '@spooled/domain';
import type { BlockedTenants } from './blocked-tenants.js';
import { isBatched } from './commands.js';
import { FairQueue } from './fair-queue.js';

export interface GroupCommitOptions {
  /** Commands in one transaction. Default 256. */
  maxBatchCommands?: number;
  /**
   * Jobs that the commands of one transaction may touch, so that none takes long for the sake of a few large commands. One that is
   * larger by itself has a transaction of its own. Default 1,000.
   */
  maxBatchJobs?: number;
  /** Bytes of callers' documents in one transaction. Default 8 MiB, so that one batch never holds much of the heap. */
  maxBatchBytes?: number;
  /** Transactions at once. Few: while one commits, the next batch gathers, which is what makes batches large under load. Default 3. */
  concurrency?: number;
  /** Commands that may wait; more are refused with 503 rather than kept in the heap. Default 10,000. */
  maxWaiting?: number;
  /** Organizations that have transactions of their own for a while, because those that share one with them would wait. */
  heldUp?: Pick<BlockedTenants, 'any' | 'has'>;
  /** Told how many commands each transaction took. */
  onBatch?(commands: number): void;
}

/** Batches of single organizations at a time; each holds some connections that mostly wait. */
const maxApart = 2;

interface Waiting {
  command: Command;
  bytes: number;
  jobs: number;
  /** Milliseconds of the monotonic clock after which nobody waits any more. */
  deadline: number;
  resolve(outcome: Outcome): void;
}

/**
 * Gathers the commands of many callers into shared transactions and gives each caller its own answer (BX-10). There is no
 * linger: an idle engine runs a command at once, a busy one finds the next batch gathered when a transaction ends.
 * Organizations take turns, so that a flood of one does not delay the others, and while batches run, one more is open to those
 * that have nothing under way: they neither wait for a flood's transactions nor share one with it (BX-03). Organizations whose
 * commands wait for locks have batches of their own meanwhile, each one at most at a time.
 */
export class GroupCommit {
  private readonly queue = new FairQueue<Waiting>();
  private readonly maxBatchCommands: number;
  private readonly maxBatchJobs: number;
  private readonly maxBatchBytes: number;
  private readonly concurrency: number;
  private readonly maxWaiting: number;
  private readonly underWay = new Map<string, number>();
  private running = 0;
  private quietRuns = false;
  private apart = 0;
  private singles = 0;
  private scheduled = false;
  private idle: (() => void)[] = [];

  constructor(
    private readonly executor: CommandExecutor,
    private readonly options: GroupCommitOptions = {},
  ) {
    this.maxBatchCommands = options.maxBatchCommands ?? 256;
    this.maxBatchJobs = options.maxBatchJobs ?? 1_000;
    this.maxBatchBytes = options.maxBatchBytes ?? 8 * 1024 * 1024;
    this.concurrency = options.concurrency ?? 3;
    this.maxWaiting = options.maxWaiting ?? 10_000;
  }

  /** Commands that wait for a transaction. */
  get waiting(): number {
    return this.queue.size;
  }

  /** Resolves after the commit with the command's own answer; never rejects. */
  submit<K extends CommandKind>(command: CommandOf<K>): Promise<Outcome<K>> {
    if (this.queue.size >= this.maxWaiting) {
      return Promise.resolve({ ok: false, error: unavailable('queue engine', 1).toShape() });
    }
    return new Promise((resolve) => {
      const waiting: Waiting = {
        command: command as Command,
        bytes: sizeOf(command as Command),
        jobs: jobsIn(command as Command),
        deadline: performance.now() + command.ttlMs,
        resolve: resolve as (outcome: Outcome) => void,
      };
      if (isBatched(command)) {
        this.queue.push(command.organizationId, waiting);
        this.schedule();
      } else {
        this.singles++;
        void this.run([waiting], false).finally(() => this.settle(() => this.singles--));
      }
    });
  }

  /** Resolves when everything that was submitted has its answer. */
  drain(): Promise<void> {
    if (this.isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.idle.push(resolve));
  }

  /** After the current turn of the event loop, so that all commands that arrived together travel together. */
  private schedule(): void {
    if (this.scheduled || (this.running >= this.concurrency && this.quietRuns && !this.anyHeldUp)) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      if (this.anyHeldUp) this.startBatchesApart();
      this.startQuietBatch();
      while (this.running < this.concurrency && this.startBatch());
    });
  }

  private get anyHeldUp(): boolean {
    return this.options.heldUp?.any === true;
  }

  private readonly isShared = (organizationId: string): boolean => !this.options.heldUp?.has(organizationId);

  /** False when nothing waits that may share a transaction. */
  private startBatch(): boolean {
    if (this.queue.size === 0) return false;
    const batch = this.takeBatch(() => (this.anyHeldUp ? this.queue.turnAmong(this.isShared) : this.queue.turn));
    if (batch.length === 0) return false;
    this.running++;
    void this.runBatch(batch).finally(() => this.settle(() => this.running--));
    return true;
  }

  private startBatchesApart(): void {
    for (const organizationId of this.queue.waiting()) {
      if (this.apart >= maxApart) return;
      if (this.isShared(organizationId) || this.underWay.has(organizationId)) continue;
      const batch = this.takeBatch(() => organizationId);
      if (batch.length === 0) continue;
      this.apart++;
      void this.runBatch(batch, false).finally(() => this.settle(() => this.apart--));
    }
  }

  /** One command of each organization that has nothing under way. On an idle system they travel with all others. */
  private startQuietBatch(): void {
    if (this.quietRuns || this.running === 0) return;
    const isQuiet = (organizationId: string) => !this.underWay.has(organizationId) && this.isShared(organizationId);
    const quiet = this.queue.waiting().filter(isQuiet);
    const batch = this.takeBatch(() => quiet.shift());
    if (batch.length === 0) return;
    this.quietRuns = true;
    void this.runBatch(batch).finally(() => this.settle(() => (this.quietRuns = false)));
  }

  private takeBatch(nextParty: () => string | undefined): Waiting[] {
    const batch: Waiting[] = [];
    let bytes = 0;
    let jobs = 0;
    const now = performance.now();
    while (batch.length < this.maxBatchCommands) {
      const party = nextParty();
      const next = this.queue.peek(party);
      if (party === undefined || !next) break;
      const fits = bytes + next.bytes <= this.maxBatchBytes && jobs + next.jobs <= this.maxBatchJobs;
      if (batch.length > 0 && !fits) break;
      this.queue.take(party);
      if (next.deadline < now) {
        next.resolve({ ok: false, error: unavailable('queue engine', 1).toShape() });
        continue;
      }
      bytes += next.bytes;
      jobs += next.jobs;
      batch.push(next);
    }
    return batch;
  }

  private async runBatch(batch: Waiting[], shared = true): Promise<void> {
    this.options.onBatch?.(batch.length);
    this.noteUnderWay(batch, 1);
    await this.run(batch, shared && this.options.heldUp !== undefined);
    this.noteUnderWay(batch, -1);
  }

  private noteUnderWay(batch: Waiting[], change: 1 | -1): void {
    for (const { command } of batch) {
      const commands = (this.underWay.get(command.organizationId) ?? 0) + change;
      if (commands > 0) this.underWay.set(command.organizationId, commands);
      else this.underWay.delete(command.organizationId);
    }
  }

  private async run(batch: Waiting[], shared: boolean): Promise<void> {
    const commands = batch.map(({ command }) => command);
    try {
      const outcomes = await (shared && this.executor.executeShared
        ? this.executor.executeShared(commands)
        : this.executor.execute(commands));
      batch.forEach((waiting, i) => {
        const outcome = outcomes[i];
        if (outcome) waiting.resolve(outcome);
        else this.queue.push(waiting.command.organizationId, waiting);
      });
    } catch (error) {
      // Executors answer and do not throw; if one does, its callers must not wait for ever.
      for (const { resolve } of batch) resolve({ ok: false, error: internalError(error).toShape() });
    }
  }

  private settle(count: () => void): void {
    count();
    if (this.queue.size > 0) this.schedule();
    else if (this.isIdle()) for (const resolve of this.idle.splice(0)) resolve();
  }

  private isIdle(): boolean {
    return this.running === 0 && !this.quietRuns && this.apart === 0 && this.singles === 0 && this.queue.size === 0;
  }
}

function sizeOf(command: Command): number {
  if (command.kind === 'job.enqueue') return command.body.jobs.reduce((sum, job) => sum + job.payload.length, 0);
  if (command.kind === 'job.completeMany') {
    return command.body.jobs.reduce((sum, { result }) => sum + (result?.length ?? 0), 0);
  }
  if (command.kind === 'job.complete') return command.body.result?.length ?? 0;
  return 0;
}

function jobsIn({ kind, body }: Command): number {
  if (kind === 'job.enqueue' || kind === 'job.completeMany') return body.jobs.length;
  return kind === 'job.claim' ? body.limit : 1;
}
