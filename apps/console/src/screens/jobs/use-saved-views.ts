import { useCallback, useSyncExternalStore } from 'react';
import { useSession } from '../../app/use-session';
import { readViews, type SavedView } from './saved-views';

const listeners = new Set<() => void>();
const cache = new Map<string, { text: string | null; views: SavedView[] }>();

/** The same list until the kept text changes, also by another tab. */
function viewsAt(key: string): SavedView[] {
  const text = readText(key);
  const known = cache.get(key);
  if (known?.text === text) return known.views;
  const views = readViews(text);
  cache.set(key, { text, views });
  return views;
}

function readText(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/**
 * The saved views of the organization in this browser, and a function that changes them. It is given the list as it is now, which
 * another tab may have changed, and throws what `change` throws, or an error when the browser keeps nothing.
 */
export function useSavedViews(): [
  views: readonly SavedView[],
  change: (how: (views: readonly SavedView[]) => SavedView[]) => void,
] {
  const { organization } = useSession();
  const key = `spooled.jobs-views.${organization!.id}`;
  const views = useSyncExternalStore(
    subscribe,
    useCallback(() => viewsAt(key), [key]),
  );
  const change = (how: (views: readonly SavedView[]) => SavedView[]) => {
    localStorage.setItem(key, JSON.stringify(how(viewsAt(key))));
    for (const listener of listeners) listener();
  };
  return [views, change];
}
