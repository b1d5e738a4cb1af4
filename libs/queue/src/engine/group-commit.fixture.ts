import type { Command, Outcome } from '@spooled/contracts';
import type { GroupCommit } from './group-commit.js';

/** An executor whose transactions end when the test calls `release`. */
export class BlockingExecutor {
  readonly batches: Command[][] = [];
  private releases: (() => void)[] = [];
  fail = false;

  execute = async (commands: Command[]): Promise<Outcome[]> => {
    this.batches.push(commands);
    await new Promise<void>((resolve) => this.releases.push(resolve));
    if (this.fail) throw new Error('broken executor');
    return commands.map(({ id }) => ({ ok: true, value: { jobs: [{ jobId: id, created: true }] } }) as Outcome);
  };

  /** Ends all transactions, or as many, in their order. */
  release(count = this.releases.length): void {
    for (const release of this.releases.splice(0, count)) release();
  }
}

export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** More than any commands of a spec need. */
const mostTurns = 1_000;

/** Lets transactions end until none is left. */
export async function finish(commit: GroupCommit, executor: BlockingExecutor): Promise<void> {
  let drained = false;
  void commit.drain().then(() => (drained = true));
  for (let turn = 0; !drained; turn++) {
    if (turn > mostTurns) throw new Error(`${commit.waiting} commands wait, and no transaction is begun for them`);
    executor.release();
    await nextTick();
  }
}
