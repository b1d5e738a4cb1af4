import { Injectable } from '@nestjs/common';
import type { Completion, Outcome } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import type { Principal } from '../auth/principal.js';
import { Commands } from '../commands/commands.js';

interface Waiting {
  completion: Completion;
  resolve(): void;
  reject(error: unknown): void;
}

/** As many as one command takes. */
const maxTogether = 100;

/**
 * Completions that callers with one key hand in within the same turn of the event loop travel as one command (BX-10): those of a
 * ProcessJobs stream mostly come so. One that comes alone does not wait, and stays a command of its own.
 */
@Injectable()
export class CompletionBatcher {
  private readonly waiting = new Map<Principal, Waiting[]>();

  constructor(private readonly commands: Commands) {}

  /** @throws SpooledError 404, 409 without a valid lease or when the job has ended, 503 */
  complete(principal: Principal, completion: Completion): Promise<void> {
    return new Promise((resolve, reject) => {
      const one = { completion, resolve, reject };
      const others = this.waiting.get(principal);
      if (others) return void others.push(one);
      this.waiting.set(principal, [one]);
      // In the context of the first, whose trace the command belongs to.
      setImmediate(() => this.flush(principal));
    });
  }

  private flush(principal: Principal): void {
    const waiting = this.waiting.get(principal)!;
    this.waiting.delete(principal);
    while (waiting.length > 0) void this.run(principal, waiting.splice(0, maxTogether));
  }

  /** Never rejects. */
  private async run(principal: Principal, batch: Waiting[]): Promise<void> {
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

  private async outcomesOf(
    { organizationId, queues }: Principal,
    batch: Waiting[],
  ): Promise<Outcome<'job.complete'>[]> {
    if (batch.length === 1) {
      const body = { ...batch[0]!.completion, queues };
      return [{ ok: true, value: await this.commands.run('job.complete', organizationId, body) }];
    }
    const jobs = batch.map(({ completion }) => completion);
    return (await this.commands.run('job.completeMany', organizationId, { jobs, queues })).outcomes;
  }
}
