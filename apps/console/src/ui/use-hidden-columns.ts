import { useState } from 'react';

/**
 * The titles of the columns of a table that the user has hidden, kept in this browser, and a function that changes them.
 * @param table a name of the table
 */
export function useHiddenColumns(table: string): [hidden: readonly string[], hide: (titles: string[]) => void] {
  const key = `spooled.hidden-columns.${table}`;
  const [hidden, setHidden] = useState(() => readTitles(key));
  const hide = (titles: string[]) => {
    setHidden(titles);
    try {
      localStorage.setItem(key, JSON.stringify(titles));
    } catch {
      // Storage may be forbidden: the choice holds while the page is open.
    }
  };
  return [hidden, hide];
}

function readTitles(key: string): string[] {
  try {
    const titles: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(titles) ? titles.filter((title) => typeof title === 'string') : [];
  } catch {
    return [];
  }
}
