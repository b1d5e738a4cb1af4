import type { Command } from '@spooled/contracts';
import type { PreviousRun } from './conflict-retry.js';

/** A command and its place among those that were given to the engine together. */
export interface Numbered {
  command: Command;
  number: number;
}

/**
 * The entries of another run, marked where they may find their own work: each of them after an unknown outcome; after a conflict
 * the enqueues and failures, which another delivery of the command may have carried out meanwhile.
 */
export function repeated(entries: Numbered[], earlier: PreviousRun): Numbered[] {
  if (earlier === 'none') return entries;
  return entries.map((entry) =>
    earlier === 'unknown' || entry.command.kind === 'job.enqueue' || entry.command.kind === 'job.fail'
      ? { ...entry, command: { ...entry.command, redelivered: true } }
      : entry,
  );
}

/** Halves by blame: first apart by kind and organization, then command by command. */
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
