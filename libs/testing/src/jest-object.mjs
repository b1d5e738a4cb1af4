import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Where jest-circus reads the limit of a test. */
const timeoutOfTests = Symbol.for('TEST_TIMEOUT_SYMBOL');
const mocker = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { rootDir: process.cwd(), fakeTimers: {} }, global: globalThis });

/** What specs import from `@jest/globals`. One object serves all spec files of a worker; add methods here when a spec needs them. */
export const jest = {
  fn: (implementation) => mocker.fn(implementation),
  spyOn: (...args) => mocker.spyOn(...args),
  restoreAllMocks: () => mocker.restoreAllMocks(),
  useFakeTimers: (options) => timers.useFakeTimers(options),
  useRealTimers: () => timers.useRealTimers(),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  setTimeout: (ms) => void (globalThis[timeoutOfTests] = ms),
};

/** What a spec file changed must not reach the next one. */
export function resetJest() {
  timers.useRealTimers();
  mocker.restoreAllMocks();
  delete globalThis[timeoutOfTests];
}
