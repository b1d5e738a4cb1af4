import { AuthenticationError } from '@spooled/sdk/browser';
import { type Query, QueryCache, QueryClient, MutationCache, timeoutManager } from '@tanstack/react-query';
import { retryMs } from '../ui/retry-ms.js';
import { api } from './client.js';
import { LiveUpdates, type Topic } from './live-updates.js';

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: {
      /** What the view is called in the banner that names stale views. */
      label?: string;
      /** The view is read again when something of these has changed. */
      topics?: readonly Topic[];
    };
  }
}

/** Views also change without events: ages grow, rates fall. */
const refreshMs = 15_000;

let longestMs = Infinity;

/** Reads every view at least this often. */
export function setLongestRefresh(ms: number): void {
  longestMs = ms;
}

export const msBetweenReadsWithoutStream = (): number => Math.min(retryMs, longestMs);

// React Query uses intervals only to read views again, so that this holds for every `refetchInterval`.
timeoutManager.setTimeoutProvider<ReturnType<typeof setTimeout>>({
  setTimeout: (callback, ms) => setTimeout(callback, ms),
  clearTimeout: (id) => clearTimeout(id),
  setInterval: (callback, ms) => setInterval(callback, Math.min(ms, longestMs)),
  clearInterval: (id) => clearInterval(id),
});

const onSessionEnd = new Set<() => void>();

/** Calls `listener` when the server says that there is no session any more. @returns a function that stops it */
export function whenSessionEnds(listener: () => void): () => void {
  onSessionEnd.add(listener);
  return () => void onSessionEnd.delete(listener);
}

const noticeSessionEnd = (error: unknown): void => {
  if (error instanceof AuthenticationError) for (const listener of onSessionEnd) listener();
};

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSessionEnd }),
  mutationCache: new MutationCache({ onError: noticeSessionEnd }),
  defaultOptions: {
    queries: {
      // The client of the API retries by itself.
      retry: false,
      staleTime: 1_000,
      networkMode: 'always',
      refetchOnWindowFocus: true,
      refetchInterval: (query) => intervalOf(query as Query),
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

/** One stream per page; `useLiveUpdates` opens it. */
export const live = new LiveUpdates(api.http, (topics) => {
  void queryClient.invalidateQueries({ predicate: (query) => shows(query, topics) }, { cancelRefetch: false });
});

const shows = (query: Query, topics: ReadonlySet<Topic>): boolean =>
  Boolean(query.meta?.topics?.some((topic) => topics.has(topic))) && !isLongList(query);

/** Only views with topics are read at intervals. React Query pauses this while the page is hidden. */
function intervalOf(query: Query): number | false {
  if (!query.meta?.topics || isLongList(query)) return false;
  return live.state.status === 'open' ? refreshMs : retryMs;
}

/** A list of several pages is read again only on request: all of its pages would be, and rows would move below the reader. */
export function isLongList(query: Query): boolean {
  const pages = (query.state.data as { pages?: unknown[] } | undefined)?.pages;
  return pages !== undefined && pages.length > 1;
}
