import { useSyncExternalStore } from 'react';

/** A value outside of components, which they follow. */
export class Store<T> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: T) {}

  readonly get = (): T => this.value;
  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  set(value: T): void {
    this.value = value;
    for (const listener of this.listeners) listener();
  }
}

/** A text that this browser keeps; null: none. Where storage is forbidden, it holds until the page is closed. */
export class KeptText extends Store<string | null> {
  constructor(private readonly key: string) {
    super(readKept(key));
  }

  override set(text: string | null): void {
    try {
      if (text === null) localStorage.removeItem(this.key);
      else localStorage.setItem(this.key, text);
    } catch {
      // Storage may be forbidden.
    }
    super.set(text);
  }
}

export function readKept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage may be forbidden.
    return null;
  }
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get);
