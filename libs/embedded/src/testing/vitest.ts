import { expect } from 'vitest';
import { type JobMatchers, matchers } from './matchers.js';

// Adds the matchers to Vitest: import 'spooled-embedded/testing/vitest', in a test or in `setupFiles`.
expect.extend(matchers);

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends JobMatchers<T> {}
}
