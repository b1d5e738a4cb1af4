import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { Button } from './button';
import { explainError } from './error-text';
import { formatCount } from './format';
import styles from './list-summary.module.css';

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
