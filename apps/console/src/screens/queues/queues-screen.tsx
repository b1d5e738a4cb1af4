import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { QueueExplanation } from '@spooled/sdk/browser';
import type { ReactNode } from 'react';
import { momentOf } from '../../parts/past/moment';
import { PastMoment } from '../../parts/past/past-moment';
import { PastQueues } from '../../parts/past/past-queues';
import { TimeControl } from '../../parts/past/time-control';
import { inHour, perMinute } from '../../parts/rates';
import { TextField } from '../../ui/field';
import { FilterBar } from '../../ui/filter-bar';
import { formatBounded, formatCount, formatDuration, sumOf } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import { type QueueConfig, queueRowQuery, queuesQuery } from './queries';
import { QueueState } from './queue-state';
import styles from './queues-screen.module.css';
import { queuesRoute } from './route';

const columns: VirtualColumn<QueueConfig>[] = [
  {
    title: 'Queue',
    width: 'minmax(7rem, 2fr)',
    cell: ({ queueName }) => (
      <Link to="/queues/$name" params={{ name: queueName }}>
        {queueName}
      </Link>
    ),
  },
  {
    title: 'State',
    width: 'minmax(9rem, 1.6fr)',
    cell: (row) => <RowValue row={row} value={(explanation) => <QueueState explanation={explanation} />} />,
  },
  live('Ready', ({ jobs }) => formatBounded(jobs.ready)),
  live('Later', ({ jobs }) => formatBounded(sumOf(jobs.scheduled, jobs.retrying, jobs.blocked))),
  live('Running', ({ jobs }) => formatBounded(jobs.running), '5.5rem'),
  live('Oldest', ({ jobs }) =>
    jobs.oldestReadySeconds === null ? '–' : formatDuration(jobs.oldestReadySeconds * 1000),
  ),
  rate('In/min', 'created', 'createdLastHour'),
  rate('Done/min', 'completed', 'completedLastHour'),
  rate('Failed/min', 'failedAttempts', 'failedAttemptsLastHour'),
  live('Workers', ({ workers: { healthy, degraded } }) => healthyOf(healthy, healthy + degraded), '5.5rem'),
  {
    title: 'Rate limit',
    width: 'minmax(6.2rem, 0.7fr)',
    numeric: true,
    cell: ({ rateLimit }) => (rateLimit === null ? '–' : `${formatCount(rateLimit)}/s`),
  },
];

/** `2`, or `1 of 2` if some do not send heartbeats. */
const healthyOf = (healthy: number, all: number): string =>
  healthy === all ? formatCount(all) : `${formatCount(healthy)} of ${formatCount(all)}`;

function live(
  title: string,
  value: (explanation: QueueExplanation) => ReactNode,
  width = '4.9rem',
): VirtualColumn<QueueConfig> {
  return {
    title,
    width: `minmax(${width}, 0.7fr)`,
    numeric: true,
    cell: (row) => <RowValue row={row} value={value} />,
  };
}

type Rates = QueueExplanation['rates'];

/** The last minute, and below it the last hour. */
function rate(
  title: string,
  member: Parameters<typeof perMinute>[1],
  ofHour: Extract<keyof Rates, `${string}LastHour`>,
): VirtualColumn<QueueConfig> {
  const value = ({ rates }: QueueExplanation) => (
    <>
      {perMinute(rates.lastMinute, member)}
      <span className={styles.hour}>{inHour(rates[ofHour], rates.coveredSeconds)}</span>
    </>
  );
  return live(title, value, '6.5rem');
}

/** All cells of a row share one query, which runs only while the row is in view. */
function RowValue({ row, value }: { row: QueueConfig; value: (explanation: QueueExplanation) => ReactNode }) {
  const { data } = useQuery(queueRowQuery(row.queueName));
  return data ? <>{value(data)}</> : <span className={styles.pending}>·</span>;
}

/** All queues of the organization with their state, depth, rates and limits. */
export function QueuesScreen() {
  const { name = '', at: atText } = queuesRoute.useSearch();
  const navigate = queuesRoute.useNavigate();
  const at = momentOf(atText);
  return (
    <Page title="Queues">
      <TimeControl
        at={at}
        onChange={(moment) => void navigate({ search: (before) => ({ ...before, at: moment }), replace: true })}
      />
      <FilterBar>
        <TextField
          label="Name contains"
          type="search"
          value={name}
          onChange={(text) =>
            void navigate({ search: (before) => ({ ...before, name: text || undefined }), replace: true })
          }
        />
      </FilterBar>
      {at === undefined ? <QueuesNow name={name} /> : <QueuesAt name={name} at={at} />}
    </Page>
  );
}

function QueuesNow({ name }: { name: string }) {
  const query = useInfiniteQuery(queuesQuery);
  return (
    <Loaded query={query} lines={8}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data).filter(({ queueName }) => contains(queueName, name));
        if (rows.length === 0 && !query.hasNextPage) return <NoQueues isFiltered={name !== ''} />;
        return (
          <VirtualTable
            label="Queues"
            columns={columns}
            rows={rows}
            rowKey={({ queueName }) => queueName}
            hasMore={query.hasNextPage}
            onEnd={() => void (query.isFetching || query.fetchNextPage())}
          />
        );
      }}
    </Loaded>
  );
}

const QueuesAt = ({ name, at }: { name: string; at: number }) => (
  <PastMoment at={at} notKept="states and their reasons, workers, limits, and queues without jobs">
    {({ queues }) => <PastQueues at={at} queues={queues.filter(({ queue }) => contains(queue, name))} />}
  </PastMoment>
);

const contains = (text: string, part: string): boolean => text.toLowerCase().includes(part.toLowerCase());

const NoQueues = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No queue has a name like this">Remove the filter to see all queues.</Notice>
  ) : (
    <Notice title="There are no queues yet">A queue exists from its first job or worker on.</Notice>
  );
