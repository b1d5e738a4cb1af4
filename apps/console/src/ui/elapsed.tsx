import { useNow } from './clock';
import { formatDuration } from './format';

interface ElapsedProps {
  from: string | null;
  /** Null while it continues. */
  to: string | null;
  /** Whether it has ended, even if nobody knows when. */
  isOver?: boolean;
}

/** The time that something took, or has taken so far. */
export function Elapsed({ from, to, isOver = false }: ElapsedProps) {
  const now = useNow();
  if (from === null || (to === null && isOver)) return <>–</>;
  const end = to === null ? now : new Date(to).getTime();
  return <>{formatDuration(Math.max(0, end - new Date(from).getTime()))}</>;
}
