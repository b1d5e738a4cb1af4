import { NotFoundError } from '@spooled/sdk/browser';
import { api } from '../api/client';

type Options = { signal: AbortSignal };

/** Jobs first: almost every id is one of theirs. */
const places = [
  { screen: '/jobs/$id', read: (id: string, options: Options) => api.jobs.get(id, options) },
  { screen: '/batches/$id', read: (id: string, options: Options) => api.batches.get(id, options) },
  { screen: '/workflows/$id', read: (id: string, options: Options) => api.workflows.get(id, options) },
  { screen: '/operations/$id', read: (id: string, options: Options) => api.operations.get(id, options) },
] as const;

/** A user who gets no answer should see that on a screen. */
const longestMs = 3_000;

/** The screen of the thing that has this id; that of jobs if there is none, which says so. */
export async function screenOf(id: string): Promise<(typeof places)[number]['screen']> {
  const signal = AbortSignal.timeout(longestMs);
  for (const { screen, read } of places) {
    try {
      await read(id, { signal });
      return screen;
    } catch (error) {
      // Without an answer, the screen shows the failure and tries again.
      if (!(error instanceof NotFoundError)) return screen;
    }
  }
  return '/jobs/$id';
}
