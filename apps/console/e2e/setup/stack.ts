// What the tests use of the other libraries. Bundled by the global setup, because Playwright reads neither SQL files nor decorators.
export { eventually, Receiver, startPausableDatabase, startStack, type Stack } from '@spooled/testing';
export { Spooled } from '@spooled/sdk';
