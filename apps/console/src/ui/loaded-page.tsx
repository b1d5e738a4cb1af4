import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from './loaded';
import { Page } from './page';

interface LoadedPageProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'isPending'>;
  /** Until the data, which may have a title of its own, is there. */
  title: string;
  back?: ReactNode;
  /** A page. */
  children: (data: T) => ReactNode;
}

/** A page of one thing, whose heading is known only when the thing is loaded. */
export function LoadedPage<T>({ query, title, back, children }: LoadedPageProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  return (
    <Page title={title} back={back}>
      <Loaded query={query} lines={6}>
        {() => null}
      </Loaded>
    </Page>
  );
}
