import { NetworkError, RateLimitError, ServerError } from '@spooled/sdk/browser';
import type { UseInfiniteQueryResult } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { retryMs } from './retry-ms';

/** Whether the same request may succeed later; a search that takes too long will not. */
const mayPass = (error: unknown): boolean =>
  error instanceof NetworkError || error instanceof ServerError || error instanceof RateLimitError;

/** Loads the next page of a list when its end comes into view; a page that could not be read again after some seconds. */
export function useOnEnd({
  error,
  isFetching,
  isFetchNextPageError: hasFailed,
  fetchNextPage,
}: Pick<UseInfiniteQueryResult, 'error' | 'isFetching' | 'isFetchNextPageError' | 'fetchNextPage'>): () => void {
  const isRepeated = hasFailed && !isFetching && mayPass(error);
  useEffect(() => {
    if (!isRepeated) return;
    const timer = setTimeout(() => void fetchNextPage(), retryMs);
    return () => clearTimeout(timer);
  }, [isRepeated, fetchNextPage]);
  return useCallback(() => void (isFetching || hasFailed || fetchNextPage()), [hasFailed, isFetching, fetchNextPage]);
}
