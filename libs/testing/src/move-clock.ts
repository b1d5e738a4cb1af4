import { moveClockOn } from '@spooled/data-access';
import { onKeptConnection } from './kept-connections.js';
import type { TestDatabase } from './test-database.js';

/** As `moveDatabaseClock`. */
export const moveClock = ({ ownerUrl }: Pick<TestDatabase, 'ownerUrl'>, by: string): Promise<void> =>
  onKeptConnection(ownerUrl, (owner) => moveClockOn(owner, by));
