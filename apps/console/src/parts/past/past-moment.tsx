import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useNow } from '../../ui/clock';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { isYoung, type Moment, momentQuery, reachMs, stepMs } from './moment';

interface PastMomentProps {
  at: number;
  /** What the screen shows otherwise and that nobody has kept. */
  notKept: string;
  children(moment: Moment): ReactNode;
}

/** What is known of a moment of the past, and what is not. */
export function PastMoment({ at, notKept, children }: PastMomentProps) {
  const now = useNow();
  const isKept = at > now - reachMs + stepMs / 2 && at <= now;
  const query = useQuery({ ...momentQuery(at), enabled: isKept });
  if (!isKept) {
    return (
      <Notice tone="warn" title="The numbers of this moment are not kept">
        One can look back one hour. Choose another moment, or go back to now.
      </Notice>
    );
  }
  return (
    <>
      <Notice title="This is the past, from samples taken every ten seconds">
        Not kept: {notKept}. Actions are possible only in the present state.
      </Notice>
      <Loaded query={query} lines={6}>
        {(moment) => (moment.all.pending === null ? <Unknown isYoung={isYoung(at)} /> : children(moment))}
      </Loaded>
    </>
  );
}

const Unknown = ({ isYoung: mayCome }: { isYoung: boolean }) =>
  mayCome ? (
    <Notice title="Nothing is known of this moment yet">A sample is taken every ten seconds.</Notice>
  ) : (
    <Notice tone="warn" title="Nothing is known of this moment">
      No sample was taken then: no scheduler ran, or the server could not reach PostgreSQL.
    </Notice>
  );
