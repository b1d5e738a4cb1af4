import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ListSummary } from './list-summary';
import { Loaded } from './loaded';
import { useOnEnd } from './use-on-end';

interface LoadedRowsProps<T> {
  query: UseInfiniteQueryResult<{ pages: { data: T[] }[] }>;
  /** Lines of the placeholder. */
  lines?: number;
  /** Which of the rows show. */
  filter?: (row: T) => boolean;
  /** In place of a table without rows. */
  empty: ReactNode;
  /** A table, which takes `more` to load further pages when its end is in view. */
  children: (rows: T[], more: { hasMore: boolean; onEnd(): void }) => ReactNode;
}

/** The rows of a list that is read page by page, and how many there are. */
export function LoadedRows<T>({ query, lines, filter = () => true, empty, children }: LoadedRowsProps<T>) {
  const onEnd = useOnEnd(query);
  return (
    <Loaded query={query} lines={lines}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data).filter(filter);
        if (rows.length === 0 && !query.hasNextPage) return empty;
        return (
          <>
            <ListSummary query={query} rows={rows.length} />
            {children(rows, { hasMore: query.hasNextPage, onEnd })}
          </>
        );
      }}
    </Loaded>
  );
}
