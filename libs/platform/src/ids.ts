import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** Random bytes are generated for 256 ids at once: generated per id, they took a twelfth of the time of a small POST. */
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
 * A new UUIDv7. Ids sort by creation, also within one millisecond of a process. That keeps indexes dense, time partitions cheap, and
 * bulk jobs in their order.
 */
export function newId(): string {
  const bytes = random();
  const now = Date.now();
  if (now > msecs) {
    msecs = now;
    // The highest bit stays 0, so that a millisecond has at least 2^31 more ids.
    seq = bytes.readUInt32BE(6) >>> 1;
  } else {
    seq++;
  }
  return v7({ random: bytes, msecs, seq });
}
