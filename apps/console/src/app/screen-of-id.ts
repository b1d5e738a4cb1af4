import { NotFoundError } from '@spooled/sdk/browser';
import { api } from '../api/client';

/** Jobs first: almost every id is one of theirs. */
const places = [
  { screen: '/jobs/$id', read: (id: string) => api.jobs.get(id) },
  { screen: '/batches/$id', read: (id: string) => api.batches.get(id) },
  { screen: '/workflows/$id', read: (id: string) => api.workflows.get(id) },
  { screen: '/operations/$id', read: (id: string) => api.operations.get(id) },
] as const;

/** The screen of the thing that has this id; that of jobs if there is none, which says so. */
export async function screenOf(id: string): Promise<(typeof places)[number]['screen']> {
  for (const { screen, read } of places) {
    try {
      await read(id);
      return screen;
    } catch (error) {
      // Without an answer, the screen shows the failure and tries again.
      if (!(error instanceof NotFoundError)) return screen;
    }
  }
  return '/jobs/$id';
}
