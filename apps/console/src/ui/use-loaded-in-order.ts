import { useState } from 'react';

/**
 * How many of the queries have been answered before the first that has not. A section shows when those above it have their height, so
 * that nothing moves below the reader.
 */
export function useLoadedInOrder(queries: readonly { isPending: boolean }[]): number {
  const waiting = queries.findIndex(({ isPending }) => isPending);
  const loaded = waiting < 0 ? queries.length : waiting;
  // What has shown stays, also while another period is loaded above it.
  const [most, setMost] = useState(loaded);
  if (loaded > most) setMost(loaded);
  return Math.max(loaded, most);
}
