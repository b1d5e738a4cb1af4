import styles from './progress.module.css';

interface ProgressProps {
  /** What is in progress, for screen readers. */
  label: string;
  value: number;
  /** Null while it is not known. */
  total: number | null;
  /** A part of the value that went wrong; it is drawn in another colour and pattern. */
  failed?: number;
}

/** How much of something is done. The numbers stand beside it. */
export function Progress({ label, value, total, failed = 0 }: ProgressProps) {
  const share = (count: number): string => `${total ? Math.min(100, (count / total) * 100) : 0}%`;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total ?? undefined}
      aria-valuenow={total === null ? undefined : value}
      aria-valuetext={
        total === null ? 'Being counted' : `${value} of ${total}${failed > 0 ? `, ${failed} failed` : ''}`
      }
      className={styles.track}
    >
      <div className={styles.done} style={{ width: share(value - failed) }} />
      <div className={styles.failed} style={{ width: share(failed) }} />
    </div>
  );
}
