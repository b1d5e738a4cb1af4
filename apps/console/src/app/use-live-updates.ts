import { useEffect, useSyncExternalStore } from 'react';
import type { StreamState } from '../api/live-updates';
import { live } from '../api/query-client';

/** A page that is hidden for this long closes its stream, so that forgotten tabs cost nothing. */
const hiddenMs = 10_000;

/** Keeps the stream of this page open while the page can be seen. @param enabled false for administrators, for whom there are no events */
export function useLiveUpdates(enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return;
    let closing: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      clearTimeout(closing);
      if (document.hidden) closing = setTimeout(() => live.close(), hiddenMs);
      else live.open();
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      clearTimeout(closing);
      document.removeEventListener('visibilitychange', follow);
      live.close();
    };
  }, [enabled]);
}

export const useStreamState = (): StreamState => useSyncExternalStore(live.subscribe, live.getState);
