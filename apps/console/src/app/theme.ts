import { useSyncExternalStore } from 'react';

export type Theme = 'system' | 'light' | 'dark';

const storageKey = 'spooled.theme';
const listeners = new Set<() => void>();
let current: Theme = readTheme();

function readTheme(): Theme {
  try {
    const kept = localStorage.getItem(storageKey);
    return kept === 'light' || kept === 'dark' ? kept : 'system';
  } catch {
    // Storage may be forbidden.
    return 'system';
  }
}

/** Before the first paint. */
export function applyTheme(): void {
  if (current === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current;
}

export function setTheme(theme: Theme): void {
  current = theme;
  applyTheme();
  try {
    localStorage.setItem(storageKey, theme);
  } catch {
    // It then holds until the page is closed.
  }
  for (const listener of listeners) listener();
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
