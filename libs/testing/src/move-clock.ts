import { moveDatabaseClock } from '@spooled/data-access';
import type { TestDatabase } from './test-database.js';

/** As `moveDatabaseClock`. */
export const moveClock = ({ ownerUrl }: Pick<TestDatabase, 'ownerUrl'>, by: string): Promise<void> =>
  moveDatabaseClock(ownerUrl, by);
