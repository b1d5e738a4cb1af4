import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Placeholder } from './loaded';

/** After this, parts are shown as they come, although they move others. */
const longestMs = 1_500;

interface TogetherProps {
  queries: readonly Pick<UseQueryResult, 'isPending'>[];
  children: ReactNode;
}

/** Parts of a page whose heights only their data know, shown when all have theirs, so that none moves those below it. */
export function Together({ queries, children }: TogetherProps) {
  const [isLate, setIsLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), longestMs);
    return () => clearTimeout(timer);
  }, []);
  return isLate || queries.every(({ isPending }) => !isPending) ? <>{children}</> : <Placeholder lines={8} />;
}
