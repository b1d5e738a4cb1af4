import { Notice } from '../../ui/notice';
import type { RunTime } from './queries';
import styles from './schedules.module.css';
import { ZonedTime } from './zoned-time';

/** When a schedule runs next, for the reader and in its own zone. */
export const NextRuns = ({ runs, zone }: { runs: readonly RunTime[]; zone: string }) =>
  runs.length === 0 ? (
    <Notice tone="warn" title="It never runs">
      No time matches this expression.
    </Notice>
  ) : (
    <ol className={styles.runs} aria-label="Next runs">
      {runs.map(({ at }) => (
        <li key={at}>
          <ZonedTime value={at} zone={zone} />
        </li>
      ))}
    </ol>
  );
