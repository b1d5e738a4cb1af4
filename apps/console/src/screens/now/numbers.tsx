import type { ResponseBody } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { JobsLink, QueueLink } from '../../parts/links';
import { inLastHour, perMinute } from '../../parts/rates';
import { seriesQuery, valuesOf } from '../../parts/series';
import { Badge, type StatusLooks } from '../../ui/badge';
import { durationOf, formatCount, formatDuration } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { facts, Noted, Section } from '../../ui/page';
import { Sparkline } from '../../ui/sparkline';
import { type Column, Table } from '../../ui/table';
import { dashboardQuery } from './queries';

type Dashboard = ResponseBody<'GET /api/v1/dashboard'>;
type BusyQueue = Dashboard['queues'][number];

/** Sparklines cost one request each. */
const maxQueues = 10;
const sparklineStep = 60;

/** What waits, what comes and goes, who works, and how the server is. */
export const Numbers = () => (
  <Section title="Numbers">
    <Loaded query={useQuery(dashboardQuery)}>
      {({ jobs, workers, recentActivity: hour, system }) =>
        facts({
          Pending: <JobsLink search={{ status: 'pending' }} text={formatCount(jobs.pending)} />,
          Processing: <JobsLink search={{ status: 'processing' }} text={formatCount(jobs.processing)} />,
          'Dead letters': <JobsLink search={{ status: 'deadletter' }} text={formatCount(jobs.deadletter)} />,
          'Created per minute': <Rate hour={hour} member="created" count={hour.jobsCreated1h} />,
          'Completed per minute': <Rate hour={hour} member="completed" count={hour.jobsCompleted1h} />,
          'Failed attempts per minute': <Rate hour={hour} member="failedAttempts" count={hour.failedAttempts1h} />,
          'Average wait': <Noted value={durationOf(jobs.avgWaitTimeMs)} note="in 24 hours" />,
          'Average run': <Noted value={durationOf(jobs.avgProcessingTimeMs)} note="in 24 hours" />,
          Workers: `${formatCount(workers.healthy)} of ${formatCount(workers.total)} healthy`,
          PostgreSQL: <Health state={system.databaseStatus} />,
          Redis: <Health state={system.cacheStatus} />,
          Server: `${system.version}, up ${formatDuration(system.uptimeSeconds * 1000)}`,
        })
      }
    </Loaded>
  </Section>
);

interface RateProps {
  hour: Dashboard['recentActivity'];
  member: Parameters<typeof perMinute>[1];
  /** Of the last hour. */
  count: number;
}

const Rate = ({ hour, member, count }: RateProps) => (
  <Noted value={perMinute(hour.lastMinute, member)} note={inLastHour(count, hour.coveredSeconds1h)} />
);

const healthLooks: StatusLooks<string> = {
  healthy: { label: 'Healthy', tone: 'ok', icon: 'check' },
  unhealthy: { label: 'Unavailable', tone: 'danger', icon: 'cross' },
  disabled: { label: 'Not used', tone: 'neutral', icon: 'slash' },
};

const Health = ({ state }: { state: string }) => (
  <Badge {...(healthLooks[state] ?? { label: state, tone: 'neutral', icon: 'circle' })} />
);

const columns: Column<BusyQueue>[] = [
  { title: 'Queue', isRowHeader: true, cell: ({ name }) => <QueueLink name={name} /> },
  { title: 'State', cell: ({ paused }) => paused && <Badge tone="danger" icon="pause" label="Paused" /> },
  { title: 'Pending', numeric: true, cell: ({ pending }) => formatCount(pending) },
  { title: 'Processing', numeric: true, cell: ({ processing }) => formatCount(processing) },
  { title: 'Pending in the last hour', width: '11rem', cell: ({ name }) => <Depth queue={name} /> },
];

export const BusiestQueues = () => (
  <Section title="Queues with the most jobs" aside={<Link to="/queues">All queues</Link>}>
    <Loaded query={useQuery(dashboardQuery)}>
      {({ queues }) => (
        <Table
          label="Queues with the most jobs"
          columns={columns}
          rows={queues.slice(0, maxQueues)}
          rowKey={({ name }) => name}
          empty={<Notice title="No queue has jobs that wait or run" />}
        />
      )}
    </Loaded>
  </Section>
);

function Depth({ queue }: { queue: string }) {
  const { data } = useQuery({ ...seriesQuery(queue, 'hour', { step: sparklineStep }), refetchInterval: 60_000 });
  // Without data it has its height already.
  return (
    <Sparkline label={`Pending jobs of ${queue} in the last hour`} values={data ? valuesOf(data, 'pending') : []} />
  );
}
