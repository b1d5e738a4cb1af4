import type { CommandKind } from '@spooled/contracts';

/** What is known of a command that waits for its transaction. */
export interface SizedCommand {
  command: { kind: CommandKind };
  /** How many jobs it touches. */
  jobs: number;
}

/** Each further transaction costs about 0.5 ms of CPU time: with this many jobs less than a tenth of what they cost themselves. */
const fewestJobs = 50;

type Lane = 'enqueue' | 'claim' | 'settle';

const laneOf = (kind: CommandKind): Lane => {
  if (kind === 'job.enqueue') return 'enqueue';
  return kind === 'job.claim' ? 'claim' : 'settle';
};

/**
 * Splits a batch into enqueues, claims and everything else, in at most `most` parts that can run at the same time. Parts with few jobs
 * remain together. The order within each part is kept.
 */
export function separateKinds<T extends SizedCommand>(batch: T[], most: number): T[][] {
  const lanes = [...Map.groupBy(batch, ({ command }) => laneOf(command.kind)).values()];
  const large = lanes.filter((lane) => lane.reduce((sum, { jobs }) => sum + jobs, 0) >= fewestJobs);
  if (most <= 1 || lanes.length === 1 || large.length === 0) return [batch];
  const alone = large.slice(0, large.length < lanes.length || large.length > most ? most - 1 : most);
  const separate = new Set(alone.flat());
  const rest = batch.filter((waiting) => !separate.has(waiting));
  return rest.length > 0 ? [...alone, rest] : alone;
}
