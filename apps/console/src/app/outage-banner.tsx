import { NetworkError, ServerError } from '@spooled/sdk/browser';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { isLongList } from '../api/query-client';
import { classes } from '../ui/class-names';
import { useNow } from '../ui/clock';
import { Icon } from '../ui/icon';
import { retryMs } from '../ui/retry-ms';
import { Time } from '../ui/time';
import styles from './outage-banner.module.css';
import { useStreamState } from './use-live-updates';
import { toServerTime } from '../ui/server-time';

interface OutageState {
  /** The views that could not be read, with the time of what they show. */
  stale: { label: string; updatedAt: number }[];
  since: number;
  reachable: boolean;
  /** What the server says, such as that PostgreSQL is unavailable. */
  reasons: string[];
}

/** Says which views on the page are out of date, since when and why: because the server does not answer, or reports no changes. */
export function OutageBanner() {
  const outage = useOutage();
  return outage ? <Outage outage={outage} /> : <MissingUpdates />;
}

const causes: Record<string, string> = {
  redis: 'Redis is unavailable',
  stream: 'the stream of the realtime service cannot be reached',
};
/** Streams that break are mostly back within this. */
const reconnectMs = 3_000;

/** The page is not told about changes, but reads them. */
function MissingUpdates() {
  const { status, cause, since } = useStreamState();
  const now = useNow();
  if (status !== 'away' || cause === null || now - since < reconnectMs) return null;
  return (
    <div className={classes(styles.banner, styles.mild)} role="status">
      <Icon name="warning" />
      <div>
        <strong>No live updates</strong> since <Time value={new Date(since).toISOString()} />: {causes[cause]}. The page
        is read every 5 s, so what it shows is some seconds old.
      </div>
    </div>
  );
}

function Outage({ outage }: { outage: OutageState }) {
  useReadAgain();
  return (
    <div className={styles.banner} role="alert">
      <Icon name="warning" />
      <div>
        <strong>{outage.reachable ? 'The server fails to answer' : 'The server cannot be reached'}</strong> since{' '}
        <Time value={new Date(outage.since).toISOString()} />
        {outage.reasons.length > 0 && ` (${outage.reasons.join('; ')})`}. It is asked again every few seconds.
        <ul>
          {outage.stale.map(({ label, updatedAt }) => (
            <li key={label}>
              {label}:{' '}
              {updatedAt === 0 ? (
                'not loaded'
              ) : (
                <>
                  as of <Time value={new Date(updatedAt).toISOString()} />
                </>
              )}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

/** Also what has no interval of its own, such as the jobs of something that has ended. */
function useReadAgain(): void {
  const client = useQueryClient();
  useEffect(() => {
    const timer = setInterval(() => {
      const predicate = (query: Query) => isOutage(query) && !isLongList(query);
      void client.refetchQueries({ type: 'active', predicate }, { cancelRefetch: false });
    }, retryMs);
    return () => clearInterval(timer);
  }, [client]);
}

const isOutage = ({ state }: Query): boolean =>
  state.error instanceof NetworkError || state.error instanceof ServerError;

function useOutage(): OutageState | null {
  const client = useQueryClient();
  const last = useRef<{ key: string; outage: OutageState | null }>({ key: '', outage: null });
  const read = useCallback(() => {
    const failed = client.getQueryCache().findAll({ type: 'active', predicate: isOutage });
    const key = failed.map(({ queryHash, state }) => `${queryHash}@${state.dataUpdatedAt}`).join();
    if (key !== last.current.key) last.current = { key, outage: outageOf(failed, last.current.outage) };
    return last.current.outage;
  }, [client]);
  return useSyncExternalStore(
    useCallback((listener) => client.getQueryCache().subscribe(listener), [client]),
    read,
  );
}

/** By the server's clock; 0: never. */
const readAt = (browserMs: number): number => (browserMs === 0 ? 0 : toServerTime(browserMs));

function outageOf(failed: Query[], before: OutageState | null): OutageState | null {
  if (failed.length === 0) return null;
  const stale = new Map<string, number>();
  for (const { meta, state } of failed) {
    const label = meta?.label ?? 'This page';
    stale.set(label, Math.min(stale.get(label) ?? Infinity, readAt(state.dataUpdatedAt)));
  }
  return {
    stale: [...stale].map(([label, updatedAt]) => ({ label, updatedAt })),
    since: before?.since ?? toServerTime(Math.min(...failed.map(({ state }) => state.errorUpdatedAt))),
    reachable: failed.some(({ state }) => state.error instanceof ServerError),
    reasons: [
      ...new Set(failed.flatMap(({ state: { error } }) => (error instanceof ServerError ? error.message : []))),
    ],
  };
}
