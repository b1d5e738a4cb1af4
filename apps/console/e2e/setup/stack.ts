// What the tests use of the other libraries. Bundled by the global setup, because Playwright reads neither SQL files nor decorators.
import type { Stack } from '@spooled/testing';

export {
  defaultTimeouts,
  eventually,
  fromNow,
  msUntil,
  openIdEnv,
  Receiver,
  startPausableDatabase,
  startStack,
  TestOpenIdProvider,
} from '@spooled/testing';
export { Spooled } from '@spooled/sdk';

/** What tests need of the stack that they share, whose processes belong to the global setup. */
export type SharedStack = Pick<Stack, 'baseUrl' | 'adminKey' | 'databaseUrls'>;
