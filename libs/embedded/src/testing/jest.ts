import { expect } from '@jest/globals';
import { type JobMatchers, matchers } from './matchers.js';

// Adds the matchers to Jest: import 'spooled-embedded/testing/jest', in a test or in `setupFilesAfterEnv`.
expect.extend(matchers);

declare module 'expect' {
  interface Matchers<R extends void | Promise<void>, T = unknown> extends JobMatchers<T> {}
}

declare global {
  // Of @types/jest, for tests that do not import `expect`.
  namespace jest {
    interface Matchers<R, T> extends JobMatchers<T> {}
  }
}
