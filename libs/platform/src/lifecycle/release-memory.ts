import { Session } from 'node:inspector/promises';
import type { AppLogger } from '../log/logger.js';

/**
 * Collects all garbage and returns the memory to the operating system. V8 would keep most of it: its young generation shrinks only after
 * minutes of slow allocation, and pages of the old one are compacted only under memory pressure. Takes 0.1 to 0.25 s of CPU, during which
 * nothing else runs, and releases 20 to 70 MB per service after a start (docs/performance.md, Idle).
 *
 * The inspector's command is the only documented way to such a collection: `gc()` needs a flag, and without `flavor: 'last-resort'` it
 * releases 6 MB where this releases 55. With Node's permission model the inspector is forbidden; the memory is kept then. Never rejects.
 */
export async function releaseMemory(logger: Pick<AppLogger, 'debug'>): Promise<void> {
  const session = new Session();
  try {
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
    logger.debug('garbage collected');
  } catch (err) {
    logger.debug({ err }, 'forced GC failed');
  } finally {
    session.disconnect();
  }
}
