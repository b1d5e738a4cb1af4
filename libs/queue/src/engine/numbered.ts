import type { Command } from '@spooled/contracts';
import type { PreviousRun } from './conflict-retry.js';

/** A command and its index in the engine's batch. */
export interface Numbered {
  command: Command;
  number: number;
}

/**
 * Marks commands of a retry as redelivered where they may find their own work: all after an unknown outcome; after a
 * conflict the enqueues and failures, which a concurrent delivery of the command may have completed. The commands themselves, because the
 * mark is for every later run: in a smaller transaction, or when the caller runs one that was blocked.
 */
export function markRedelivered(entries: Numbered[], previous: PreviousRun): void {
  if (previous === 'none') return;
  for (const { command } of entries) {
    if (previous === 'unknown' || command.kind === 'job.enqueue' || command.kind === 'job.fail') {
      command.redelivered = true;
    }
  }
}

/** Splits a failed batch to isolate the culprit: first by kind and organization, then by command. */
export function split(entries: Numbered[]): Numbered[][] {
  const groups = Map.groupBy(entries, ({ command }) => `${command.kind} ${command.organizationId}`);
  return groups.size > 1 ? [...groups.values()] : entries.map((entry) => [entry]);
}
