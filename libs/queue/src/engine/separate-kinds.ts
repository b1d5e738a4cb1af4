import type { CommandKind } from '@spooled/contracts';

/** What is known of a command that waits for its transaction. */
export interface SizedCommand {
  command: { kind: CommandKind };
  /** How many jobs it touches. */
  jobs: number;
}

/** Each further transaction costs about 0.5 ms of CPU time: with this many jobs less than a tenth of what they cost themselves. */
const fewestJobs = 50;

const kindsWithLanes: readonly CommandKind[] = ['job.enqueue', 'job.claim'];

/** Null for all other kinds, which share a transaction. */
const laneOf = (kind: CommandKind): CommandKind | null => (kindsWithLanes.includes(kind) ? kind : null);

/**
 * Splits a batch into enqueues, claims and everything else, in at most `most` parts that can run at the same time. Parts with few jobs
 * remain together. The order within each part is kept.
 */
export function separateKinds<T extends SizedCommand>(batch: T[], most: number): T[][] {
  const lanes = [...Map.groupBy(batch, ({ command }) => laneOf(command.kind)).values()];
  const large = lanes.filter((lane) => lane.reduce((sum, { jobs }) => sum + jobs, 0) >= fewestJobs);
  // The last part is for everything else, small or large.
  const alone = large.slice(0, most - 1);
  const separate = new Set(alone.flat());
  const rest = batch.filter((waiting) => !separate.has(waiting));
  return rest.length > 0 ? [...alone, rest] : alone;
}
