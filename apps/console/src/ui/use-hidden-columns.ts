import { useMemo, useState } from 'react';
import { KeptText, useStore } from './store';

/**
 * The titles of the columns of a table that the user has hidden, kept in this browser, and a function that changes them.
 * @param table a name of the table
 */
export function useHiddenColumns(table: string): [hidden: readonly string[], hide: (titles: string[]) => void] {
  const [kept] = useState(() => new KeptText(`spooled.hidden-columns.${table}`));
  const text = useStore(kept);
  return [useMemo(() => titlesOf(text), [text]), (titles) => kept.set(JSON.stringify(titles))];
}

function titlesOf(text: string | null): string[] {
  try {
    const titles: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(titles) ? titles.filter((title) => typeof title === 'string') : [];
  } catch {
    return [];
  }
}
