import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes are fetched for 256 ids at once: fetched for each, they took a twelfth of a small POST's time. */
const pool = Buffer.allocUnsafe(256 * 16);
let used = pool.length;
let msecs = 0;
let seq = 0;

function random(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.subarray(used, (used += 16));
}

/**
 * A new UUIDv7: ids made later sort later, also within a millisecond of one process, which keeps indexes dense, time
 * partitions cheap, and the jobs of a bulk in the order in which they were given.
 */
export function newId(): string {
  const bytes = random();
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    // One bit short, so that a millisecond has room for two thousand million more.
    seq = bytes.readUInt32BE(6) >>> 1;
  } else {
    seq++;
  }
  return v7({ random: bytes, msecs, seq });
}
