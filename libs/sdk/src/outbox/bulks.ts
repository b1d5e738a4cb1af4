import type { OutboxRow } from './outbox-rows.js';

/** As many as a request takes (contract). */
const maxJobs = 100;
/** A request may have 5 MB. A larger job goes alone, and the server decides. */
const maxBytes = 4 * 1024 * 1024;

interface Bulk {
  queueName: string;
  rows: OutboxRow[];
  bytes: number;
}

/**
 * Divides rows, oldest first, into requests: each has jobs of one queue. Sent one after the other, they keep the order of each key, also
 * when its jobs go to several queues.
 */
export function bulksOf(rows: OutboxRow[]): OutboxRow[][] {
  const bulks: Bulk[] = [];
  /** The last bulk of a queue, and the last one that has a row of a key. */
  const [ofQueue, ofKey] = [new Map<string, number>(), new Map<string, number>()];
  for (const row of rows) {
    const after = row.orderingKey === null ? 0 : (ofKey.get(row.orderingKey) ?? 0);
    const open = ofQueue.get(row.queueName);
    const index = open !== undefined && open >= after && fits(bulks[open]!, row) ? open : bulks.length;
    const bulk = (bulks[index] ??= { queueName: row.queueName, rows: [], bytes: 0 });
    bulk.rows.push(row);
    bulk.bytes += row.size;
    ofQueue.set(row.queueName, index);
    if (row.orderingKey !== null) ofKey.set(row.orderingKey, index);
  }
  return bulks.map((bulk) => bulk.rows);
}

const fits = ({ rows, bytes }: Bulk, { size }: OutboxRow): boolean => rows.length < maxJobs && bytes + size <= maxBytes;
