import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { FilterBar, ImmediateFilter } from '../ui/filters';
import { Loaded } from '../ui/loaded';
import { Page } from '../ui/page';

interface PageOfQueueProps<T> {
  title: string;
  /** Absent: of all queues. */
  queue: string | undefined;
  onQueue(queue: string | undefined): void;
  /** Above the queue. */
  searchLine?: ReactNode;
  query: UseQueryResult<T>;
  children: (data: T) => ReactNode;
}

/** A screen that shows one thing of all queues, or of the one that is typed. */
export const PageOfQueue = <T,>({ title, queue, onQueue, searchLine, query, children }: PageOfQueueProps<T>) => (
  <Page title={title}>
    {searchLine}
    <FilterBar>
      <ImmediateFilter label="Queue" value={queue} onChange={onQueue} />
    </FilterBar>
    <Loaded query={query} lines={8}>
      {children}
    </Loaded>
  </Page>
);
