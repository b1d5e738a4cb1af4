const storageKey = 'spooled.times-in-utc';
const listeners = new Set<() => void>();
let current = read();

function read(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'yes';
  } catch {
    // Storage may be forbidden.
    return false;
  }
}

/** Whether fields of times are in UTC, not in the zone of the browser. */
export const usesUtc = (): boolean => current;

export function setUsesUtc(isUtc: boolean): void {
  current = isUtc;
  try {
    if (isUtc) localStorage.setItem(storageKey, 'yes');
    else localStorage.removeItem(storageKey);
  } catch {
    // It then holds until the page is closed.
  }
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`. */
export function subscribeToZone(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
