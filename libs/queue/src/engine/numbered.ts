import type { Command } from '@spooled/contracts';
import type { PreviousRun } from './conflict-retry.js';

/** A command and its index in the engine's batch. */
export interface Numbered {
  command: Command;
  number: number;
}

/**
 * Marks entries of a retry as redelivered where they may find their own work: all after an unknown outcome; after a
 * conflict the enqueues and failures, which a concurrent delivery of the command may have completed.
 */
export function markRedelivered(entries: Numbered[], previous: PreviousRun): Numbered[] {
  if (previous === 'none') return entries;
  return entries.map((entry) =>
    previous === 'unknown' || entry.command.kind === 'job.enqueue' || entry.command.kind === 'job.fail'
      ? { ...entry, command: { ...entry.command, redelivered: true } }
      : entry,
  );
}

/** Splits a failed batch to isolate the culprit: first by kind and organization, then by command. */
export function split(entries: Numbered[]): Numbered[][] {
  const groups = new Map<string, Numbered[]>();
  for (const entry of entries) {
    const key = `${entry.command.kind} ${entry.command.organizationId}`;
    const group = groups.get(key);
    if (group) group.push(entry);
    else groups.set(key, [entry]);
  }
  return groups.size > 1 ? [...groups.values()] : entries.map((entry) => [entry]);
}
