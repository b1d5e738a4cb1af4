import { QueueLink } from '../../parts/links';
import { inHour, perMinute } from '../../parts/rates';
import { formatBounded, formatDuration, formatPerSecond, sumOf } from '../../ui/format';
import type { VirtualColumn } from '../../ui/virtual-table';
import type { QueueRow } from './queries';
import { queueStatuses } from './queue-order';
import { QueueState } from './queue-state';
import styles from './queues-screen.module.css';

type Rates = QueueRow['rates'];
type Bounded = QueueRow['jobs']['ready'];

const laterOf = ({ jobs: { scheduled, retrying, blocked } }: QueueRow): Bounded => sumOf(scheduled, retrying, blocked);

/** What the list of queues shows, with what its columns sort by. */
export const queueColumns: VirtualColumn<QueueRow>[] = [
  {
    title: 'Queue',
    width: 'minmax(7rem, 2fr)',
    value: ({ queueName }) => queueName,
    cell: ({ queueName }) => <QueueLink name={queueName} />,
  },
  {
    title: 'State',
    width: 'minmax(9rem, 1.6fr)',
    value: ({ status }) => queueStatuses.indexOf(status),
    cell: (row) => <QueueState explanation={row} />,
  },
  count('Ready', ({ jobs }) => jobs.ready),
  count('Later', laterOf),
  count('Running', ({ jobs }) => jobs.running, '5.5rem'),
  {
    ...number('Oldest', ({ jobs }) => jobs.oldestReadySeconds),
    cell: ({ jobs }) => (jobs.oldestReadySeconds === null ? '–' : formatDuration(jobs.oldestReadySeconds * 1000)),
  },
  rate('In/min', 'created', 'createdLastHour'),
  rate('Done/min', 'completed', 'completedLastHour'),
  rate('Failed/min', 'failedAttempts', 'failedAttemptsLastHour'),
  {
    ...number('Workers', ({ workers }) => workers.healthy.count, '5.5rem'),
    cell: ({ workers: { healthy, degraded } }) => healthyOf(healthy, sumOf(healthy, degraded)),
  },
  {
    ...number('Rate limit', ({ rateLimit }) => rateLimit, '6.2rem'),
    cell: ({ rateLimit }) => (rateLimit === null ? '–' : formatPerSecond(rateLimit)),
  },
];

/** `2`, or `1 of 2` if some do not send heartbeats. */
const healthyOf = (healthy: Bounded, all: Bounded): string =>
  healthy.count === all.count ? formatBounded(all) : `${formatBounded(healthy)} of ${formatBounded(all)}`;

function number(title: string, value: (row: QueueRow) => number | null, width = '4.9rem') {
  return { title, width: `minmax(${width}, 0.7fr)`, numeric: true, value };
}

function count(title: string, of: (row: QueueRow) => Bounded, width?: string): VirtualColumn<QueueRow> {
  return { ...number(title, (row) => of(row).count, width), cell: (row) => formatBounded(of(row)) };
}

/** The last minute, and below it the last hour; sorted by the minute, or by the hour while that is unknown. */
function rate(
  title: string,
  member: Parameters<typeof perMinute>[1],
  ofHour: Extract<keyof Rates, `${string}LastHour`>,
): VirtualColumn<QueueRow> {
  const value = ({ rates: { lastMinute: minute, coveredSeconds, ...hour } }: QueueRow) =>
    minute ? minute[member] / minute.coveredSeconds : hour[ofHour] / Math.max(1, coveredSeconds);
  return {
    ...number(title, value, '6.5rem'),
    cell: ({ rates }) => (
      <>
        {perMinute(rates.lastMinute, member)}
        <span className={styles.hour}>{inHour(rates[ofHour], rates.coveredSeconds)}</span>
      </>
    ),
  };
}
