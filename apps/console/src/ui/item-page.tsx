import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Loaded } from './loaded';
import { Page } from './page';

interface ItemPageProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'isPending'>;
  /** The heading until the item, which may have one of its own, is there. */
  kind: string;
  back: ReactNode;
  title(item: NonNullable<T>): string;
  badge?(item: NonNullable<T>): ReactNode;
  actions?(item: NonNullable<T>): ReactNode;
  children(item: NonNullable<T>): ReactNode;
  /** In place of an item that is null. */
  none?: ReactNode;
}

/** The page of one item: heading, status and acts when it is loaded; until then a placeholder or why it cannot be loaded. */
export function ItemPage<T>({ query, kind, back, title, badge, actions, children, none }: ItemPageProps<T>) {
  const item = query.data ?? undefined;
  return (
    <Page title={item ? title(item) : kind} back={back} badge={item && badge?.(item)} actions={item && actions?.(item)}>
      <Loaded query={query} lines={6}>
        {() => (item ? children(item) : none)}
      </Loaded>
    </Page>
  );
}
