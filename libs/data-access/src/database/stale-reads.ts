import { AsyncLocalStorage } from 'node:async_hooks';

/** A request whose reads may be as old as the bound of the replica. It must not write. */
export interface StaleRead {
  /** How far the replica that answered was behind at most, in milliseconds; null when the primary answered. */
  lagMs: number | null;
}

/** The request in progress, if its reads may be stale. */
export const staleReads = new AsyncLocalStorage<StaleRead>();
