import type { CommandBody, CommandResult, Completion, Outcome, QueueScope } from '@spooled/contracts';
import { MicroBatcher, SpooledError } from '@spooled/domain';

type Kind = 'job.complete' | 'job.completeMany';
type Run = <K extends Kind>(kind: K, body: CommandBody<K>) => Promise<CommandResult<K>>;

interface Pending {
  completion: Completion;
  resolve(): void;
  reject(error: unknown): void;
}

/** Maximum completions of one command. */
const maxBatchSize = 100;
/** Characters of results in one command, to bound the transaction and the memory that it takes. */
const maxBatchLength = 1024 * 1024;

/**
 * Sends the completions of one caller that arrive in the same turn of the event loop as one command (BX-10). A single completion is
 * sent at the end of the turn, as a `job.complete`.
 */
export class CompletionBatches {
  private readonly batcher = new MicroBatcher<Pending>((pending) => {
    for (let start = 0; start < pending.length;) {
      const end = endOfBatch(pending, start);
      void this.send(pending.slice(start, end));
      start = end;
    }
  });

  /** @param queues that the caller may touch */
  constructor(
    private readonly run: Run,
    private readonly queues: QueueScope,
  ) {}

  /** Resolves after the commit. @throws SpooledError 404, 409 without a valid lease or when the job has ended, 503 */
  complete(completion: Completion): Promise<void> {
    return new Promise((resolve, reject) => this.batcher.add({ completion, resolve, reject }));
  }

  /** Never rejects. */
  private async send(batch: Pending[]): Promise<void> {
    try {
      const outcomes = await this.outcomesOf(batch);
      batch.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i]!;
        if (outcome.ok) resolve();
        else reject(SpooledError.fromShape(outcome.error));
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  private async outcomesOf(batch: Pending[]): Promise<Outcome<'job.complete'>[]> {
    const { queues } = this;
    if (batch.length === 1) {
      return [{ ok: true, value: await this.run('job.complete', { ...batch[0]!.completion, queues }) }];
    }
    const jobs = batch.map(({ completion }) => completion);
    return (await this.run('job.completeMany', { jobs, queues })).outcomes;
  }
}

/** The end of the batch that begins at `start`, which holds at least one completion. */
function endOfBatch(pending: Pending[], start: number): number {
  let length = 0;
  let end = start;
  while (end < pending.length && end - start < maxBatchSize) {
    length += pending[end]!.completion.result?.length ?? 0;
    if (end > start && length > maxBatchLength) break;
    end++;
  }
  return end;
}
