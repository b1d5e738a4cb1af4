import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from './button';
import { explainError } from './error-text';
import { formatCount } from './format';
import styles from './list-summary.module.css';
import type { ReactNode } from 'react';
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
export function LoadedRows<T>({ query, lines, filter, empty, children }: LoadedRowsProps<T>) {
  const onEnd = useOnEnd(query);
  return (
    <Loaded query={query} lines={lines}>
      {({ pages }) => {
        const all = pages.flatMap(({ data }) => data);
        const rows = filter ? all.filter(filter) : all;
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

interface ListSummaryProps {
  query: UseInfiniteQueryResult<{ pages: unknown[] }>;
  /** That show. */
  rows: number;
}

/** How many rows of a list show, whether they are all, and a button that reads a long list again. */
export const ListSummary = ({ query, rows }: ListSummaryProps) => (
  <div className={styles.summary} aria-live="polite">
    <span>
      {query.isFetchNextPageError
        ? `${formatCount(rows)} shown, the next could not be read: ${explainError(query.error)}`
        : summaryOf(rows, query.hasNextPage)}
    </span>
    {query.isFetchNextPageError && (
      <Button size="s" onPress={() => void query.fetchNextPage()} isDisabled={query.isFetching}>
        Try again
      </Button>
    )}
    {(query.data?.pages.length ?? 0) > 1 && (
      <Button size="s" icon="refresh" onPress={() => void query.refetch()} isDisabled={query.isRefetching}>
        Read again
      </Button>
    )}
  </div>
);

/** A search may read many rows before the first one that matches. */
const summaryOf = (rows: number, hasMore: boolean): string =>
  hasMore
    ? rows === 0
      ? 'None found yet, the search goes on'
      : `${formatCount(rows)} shown, more follow as you scroll`
    : `${formatCount(rows)} in all`;
