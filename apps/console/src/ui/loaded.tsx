import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Button } from './button';
import { explainError } from './error-text';
import styles from './loaded.module.css';
import { Notice } from './notice';

interface LoadedProps<T> {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch' | 'isPending'>;
  /** Lines of the placeholder. */
  lines?: number;
  children: (data: T) => ReactNode;
}

/** The data of a query. An error shows only while there is nothing to show; later ones are in the banner, beside the last data. */
export function Loaded<T>({ query, lines = 3, children }: LoadedProps<T>) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) {
    return (
      <Notice
        tone="danger"
        title="This could not be loaded"
        action={<Button onPress={() => void query.refetch()}>Try again</Button>}
      >
        {explainError(query.error)}
      </Notice>
    );
  }
  return <Placeholder lines={lines} />;
}

/** Where something will be. */
export function Placeholder({ lines }: { lines: number }) {
  return (
    <div className={styles.placeholder} role="status" aria-label="Loading">
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles.line} />
      ))}
    </div>
  );
}
