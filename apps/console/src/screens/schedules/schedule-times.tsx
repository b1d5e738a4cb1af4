import { browserZone } from '../../ui/local-time';
import { Time } from '../../ui/time';
import common from '../../ui/common.module.css';
import { Notice } from '../../ui/notice';
import type { RunTime } from './queries';
import styles from './schedules.module.css';

const ownZone = browserZone();

/** A moment for the reader, and in the zone of the schedule if that is another one. */
export const ZonedTime = ({ value, zone }: { value: string | null; zone: string }) => (
  <span className={common.stacked}>
    <Time value={value} />
    {value !== null && zone !== ownZone && <span className={common.small}>{inZone(value, zone)}</span>}
  </span>
);

/** `Mon 1 Jun, 09:00 Europe/Berlin`. */
function inZone(value: string, zone: string): string {
  const parts = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  try {
    const text = new Intl.DateTimeFormat('en-GB', { ...parts, hourCycle: 'h23', timeZone: zone }).format(
      new Date(value),
    );
    return `${text} ${zone}`;
  } catch {
    // The server knows zones that this browser does not.
    return zone;
  }
}

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
