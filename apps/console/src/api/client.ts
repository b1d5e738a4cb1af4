import {
  Admin,
  ApiKeys,
  Audit,
  Batches,
  createBrowserClient,
  HealthChecks,
  Jobs,
  Monitoring,
  Operations,
  Organizations,
  OutgoingWebhooks,
  Queues,
  Schedules,
  Throttles,
  Workers,
  Workflows,
} from '@spooled/sdk/browser';
import { noteServerTime } from '../ui/server-time';

/** Proves that a page of the console sent the request, because pages of other origins cannot set it. */
const ofConsole = { 'x-spooled-console': '1' };
const retry = { retries: 1 };
/** Learns the server's time from each response. */
const timed: typeof fetch = async (input, init) => {
  const sentMs = Date.now();
  const response = await fetch(input, init);
  noteServerTime(response.headers.get('date'), sentMs, Date.now());
  return response;
};

const refusalListeners = new Set<() => void>();

/** Calls `listener` when the server has refused an act: the session may have ended, or its role may have changed. */
export const whenActIsRefused = (listener: () => void): void => void refusalListeners.add(listener);

const watched: typeof fetch = async (input, init) => {
  const response = await timed(input, init);
  const isRefused = response.status === 401 || response.status === 403;
  if (isRefused && init?.method !== 'GET') for (const listener of refusalListeners) listener();
  return response;
};

/** For whatever session the browser has now. */
export const anySession = createBrowserClient({ headers: ofConsole, retry, fetch: timed });

const headers: Record<string, string> = { ...ofConsole };
/** The client of the page. The session's cookie identifies the user. */
const http = createBrowserClient({ headers, retry, fetch: watched });

/**
 * From now on the server refuses requests of this page for another session: after a sign-in in another tab the cookie may be of another
 * organization than the page shows.
 */
export function keepToSession(id: string | null): void {
  if (id === null) delete headers['x-spooled-console-session'];
  else headers['x-spooled-console-session'] = id;
}

export const api = {
  /** For routes without a method of their own. */
  http,
  admin: new Admin(http, null),
  apiKeys: new ApiKeys(http),
  audit: new Audit(http),
  batches: new Batches(http),
  health: new HealthChecks(http),
  jobs: new Jobs(http),
  monitoring: new Monitoring(http),
  operations: new Operations(http),
  organizations: new Organizations(http),
  outgoingWebhooks: new OutgoingWebhooks(http),
  queues: new Queues(http),
  schedules: new Schedules(http),
  throttles: new Throttles(http),
  workers: new Workers(http),
  workflows: new Workflows(http),
};
