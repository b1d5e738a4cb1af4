import { Injectable } from '@nestjs/common';
import type { Completion, Outcome } from '@spooled/contracts';
import { MicroBatcher, SpooledError } from '@spooled/domain';
import { Commands, type Principal } from '@spooled/service';

interface PendingCompletion {
  completion: Completion;
  resolve(): void;
  reject(error: unknown): void;
}

/** Maximum completions of one command. */
const maxBatchSize = 100;

/**
 * Sends the completions of one key that arrive in the same turn of the event loop as one command (BX-10). A single completion is
 * sent at the end of the turn, as a `job.complete`.
 */
@Injectable()
export class CompletionBatcher {
  private readonly batchers = new WeakMap<Principal, MicroBatcher<PendingCompletion>>();

  constructor(private readonly commands: Commands) {}

  /** @throws SpooledError 404, 409 without a valid lease or when the job has ended, 503 */
  complete(principal: Principal, completion: Completion): Promise<void> {
    return new Promise((resolve, reject) => this.batcherOf(principal).add({ completion, resolve, reject }));
  }

  private batcherOf(principal: Principal): MicroBatcher<PendingCompletion> {
    const known = this.batchers.get(principal);
    if (known) return known;
    const batcher = new MicroBatcher<PendingCompletion>((pending) => {
      while (pending.length > 0) void this.run(principal, pending.splice(0, maxBatchSize));
    });
    this.batchers.set(principal, batcher);
    return batcher;
  }

  /** Never rejects. */
  private async run(principal: Principal, batch: PendingCompletion[]): Promise<void> {
    try {
      const outcomes = await this.outcomesOf(principal, batch);
      batch.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i]!;
        if (outcome.ok) resolve();
        else reject(SpooledError.fromShape(outcome.error));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private async outcomesOf(principal: Principal, batch: PendingCompletion[]): Promise<Outcome<'job.complete'>[]> {
    const { queues } = principal;
    if (batch.length === 1) {
      const body = { ...batch[0]!.completion, queues };
      return [{ ok: true, value: await this.commands.run('job.complete', principal, body) }];
    }
    const jobs = batch.map(({ completion }) => completion);
    return (await this.commands.run('job.completeMany', principal, { jobs, queues })).outcomes;
  }
}
