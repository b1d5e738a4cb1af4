import { classes } from './class-names';
import { useNow } from './clock';
import { formatDuration, formatRelative, formatTime } from './format';
import styles from './time.module.css';

interface TimeProps {
  /** ISO 8601. */
  value: string | null | undefined;
  /** Below each other instead of in one line. */
  stacked?: boolean;
}

/** A moment: how long ago, and the absolute time with its zone beside it. */
export function Time({ value, stacked }: TimeProps) {
  const now = useNow();
  if (!value) return <span className={styles.none}>–</span>;
  const at = new Date(value);
  return (
    <time dateTime={value} title={at.toISOString()} className={classes(styles.time, stacked && styles.stacked)}>
      <span>{formatRelative(at.getTime(), now)}</span>{' '}
      <span className={styles.absolute}>{formatTime(at, new Date(now))}</span>
    </time>
  );
}

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

const isoTime = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)/;

/** A text of the server, with its times (in UTC) as a reader of this browser expects them. */
export const Message = ({ text }: { text: string }) => (
  <>{text.split(isoTime).map((part, index) => (isoTime.test(part) ? <Time key={index} value={part} /> : part))}</>
);
