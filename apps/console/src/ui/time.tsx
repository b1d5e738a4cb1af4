import { classes } from './class-names';
import { useNow } from './clock';
import { formatRelative, formatTime } from './format';
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
