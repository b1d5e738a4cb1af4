import { NetworkError, ServerError } from '@spooled/sdk/browser';
import { type Query, useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef, useSyncExternalStore } from 'react';
import { Icon } from '../ui/icon';
import { Time } from '../ui/time';
import styles from './outage-banner.module.css';

interface Outage {
  /** The views that could not be read, with the time of what they show. */
  stale: { label: string; updatedAt: number }[];
  since: number;
  reachable: boolean;
}

/** Says which views on the page are out of date and since when, while the server does not answer. */
export function OutageBanner() {
  const outage = useOutage();
  if (!outage) return null;
  return (
    <div className={styles.banner} role="alert">
      <Icon name="warning" />
      <div>
        <strong>{outage.reachable ? 'The server fails to answer' : 'The server cannot be reached'}</strong> since{' '}
        <Time value={new Date(outage.since).toISOString()} />. It is asked again every few seconds.
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

const isOutage = ({ state }: Query): boolean =>
  state.error instanceof NetworkError || state.error instanceof ServerError;

function useOutage(): Outage | null {
  const client = useQueryClient();
  const last = useRef<{ key: string; outage: Outage | null }>({ key: '', outage: null });
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

function outageOf(failed: Query[], before: Outage | null): Outage | null {
  if (failed.length === 0) return null;
  const stale = new Map<string, number>();
  for (const { meta, state } of failed) {
    const label = meta?.label ?? 'This page';
    stale.set(label, Math.min(stale.get(label) ?? Infinity, state.dataUpdatedAt));
  }
  return {
    stale: [...stale].map(([label, updatedAt]) => ({ label, updatedAt })),
    since: before?.since ?? Math.min(...failed.map(({ state }) => state.errorUpdatedAt)),
    reachable: failed.some(({ state }) => state.error instanceof ServerError),
  };
}
