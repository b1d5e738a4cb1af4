import type { JobTimeline } from '@spooled/sdk/browser';
import { useQuery } from '@tanstack/react-query';
import { ItemLink, JobLink, WorkerLink } from '../../parts/links';
import { Badge, type StatusLooks } from '../../ui/badge';
import { formatCount, formatDuration, shortId } from '../../ui/format';
import { CopyButton } from '../../ui/copy-button';
import { Icon } from '../../ui/icon';
import { JobStatusBadge } from '../../ui/job-status';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import { useSession } from '../../app/use-session';
import { ActorLink } from '../../parts/actor-link';
import { AttemptErrors } from './attempt-errors';
import { deliveryLooks } from './delivery-status';
import common from '../../ui/common.module.css';
import styles from './job.module.css';
import { timelineQuery } from './queries';
import { TimelinePicture } from './timeline-picture';

type Attempt = JobTimeline['attempts'][number];
type State = JobTimeline['states'][number];
type Delivery = JobTimeline['deliveries'][number];

/** What happened to the job, as a picture and in tables. */
export const JobHistory = ({ id }: { id: string }) => (
  <Loaded query={useQuery(timelineQuery(id))} lines={4}>
    {(timeline) => (
      <>
        <Section title="Timeline" aside={timeline.traceparent && <Trace traceparent={timeline.traceparent} />}>
          <TimelinePicture timeline={timeline} />
        </Section>
        {timeline.attempts.length > 0 && (
          <Section title="Attempts">
            <Table
              label="Attempts"
              columns={attemptColumns}
              rows={timeline.attempts}
              rowKey={({ attempt, startedAt }) => `${attempt}-${startedAt}`}
            />
          </Section>
        )}
        <AttemptErrors attempts={timeline.attempts} />
        <Section title="Status changes">
          <Table
            label="Status changes"
            columns={stateColumns}
            rows={timeline.states}
            rowKey={({ from, state }) => from + state}
          />
          {timeline.omitted.events > 0 && <p>{formatCount(timeline.omitted.events)} older events are not shown.</p>}
        </Section>
        {timeline.deliveries.length > 0 && (
          <Section title="Webhook deliveries">
            <Table
              label="Webhook deliveries"
              columns={deliveryColumns}
              rows={timeline.deliveries}
              rowKey={({ id: key }) => key}
            />
          </Section>
        )}
        <Relatives title="Waits for" jobs={timeline.parents} />
        <Relatives title="Jobs that wait for this one" jobs={timeline.children} />
      </>
    )}
  </Loaded>
);

const outcomes: StatusLooks<Attempt['outcome']> = {
  running: { label: 'Running', tone: 'info', icon: 'play' },
  completed: { label: 'Completed', tone: 'ok', icon: 'check' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
  lease_expired: { label: 'Lease expired', tone: 'danger', icon: 'clock' },
  released: { label: 'Released', tone: 'neutral', icon: 'refresh' },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: 'close' },
  waiting: { label: 'Waits in a step', tone: 'neutral', icon: 'clock' },
};

const attemptColumns: Column<Attempt>[] = [
  { title: 'Attempt', numeric: true, isRowHeader: true, width: '5rem', cell: ({ attempt }) => attempt },
  { title: 'Outcome', cell: ({ outcome }) => <Badge {...outcomes[outcome]} /> },
  { title: 'Started', cell: ({ startedAt }) => <Time value={startedAt} /> },
  { title: 'Ran', numeric: true, cell: ({ durationMs }) => formatDuration(durationMs) },
  { title: 'Worker', width: '20%', cell: ({ workerId }) => <WorkerLink id={workerId} /> },
  {
    title: 'Error',
    width: '40%',
    cell: ({ error }) => error && <span className={common.error}>{error.split('\n', 1)}</span>,
  },
];

const stateColumns: Column<State>[] = [
  { title: 'Status', isRowHeader: true, cell: ({ state }) => <JobStatusBadge status={state} /> },
  { title: 'From', cell: ({ from }) => <Time value={from} /> },
  { title: 'For', numeric: true, cell: ({ durationMs }) => (durationMs === null ? '' : formatDuration(durationMs)) },
  { title: 'By', width: '35%', cell: ({ actor }) => <ActorLink actor={actor} /> },
  { title: 'Reason', width: '30%', cell: ({ reason }) => reason },
];

const deliveryColumns: Column<Delivery>[] = [
  { title: 'Event', isRowHeader: true, cell: ({ event }) => event },
  { title: 'Status', cell: ({ status }) => <Badge {...deliveryLooks[status]} /> },
  { title: 'Attempts', numeric: true, cell: ({ attempts }) => attempts },
  { title: 'Response', numeric: true, cell: ({ statusCode }) => statusCode ?? '–' },
  { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'To', width: '30%', cell: (delivery) => <Receiver {...delivery} /> },
];

const Receiver = ({ webhookId, url, error }: Delivery) => (
  <>
    {webhookId ? <ItemLink to="/webhooks/$id" id={webhookId} text={`Webhook ${shortId(webhookId)}`} /> : url}{' '}
    {error && <span className={common.error}>{error}</span>}
  </>
);

function Relatives({ title, jobs }: { title: string; jobs: JobTimeline['parents'] }) {
  if (jobs.length === 0) return null;
  return (
    <Section title={title}>
      <ul className={styles.relatives}>
        {jobs.map(({ jobId, queueName, status }) => (
          <li key={jobId}>
            <JobStatusBadge status={status} />
            <JobLink id={jobId} />
            <span>{queueName}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

/** The trace of the request that created the job: a link where the server knows the viewer, and otherwise its id to look it up. */
function Trace({ traceparent }: { traceparent: string }) {
  const { traceUrl } = useSession();
  const id = traceparent.split('-')[1] ?? traceparent;
  return (
    <span className={common.small}>
      Trace{' '}
      {!traceUrl ? (
        <code>{id}</code>
      ) : (
        <a href={traceUrl.replaceAll('{trace_id}', encodeURIComponent(id))} target="_blank" rel="noopener noreferrer">
          <code>{id}</code> <Icon name="external" size={12} />
        </a>
      )}{' '}
      <CopyButton size="s" label="Trace id" text={id} />
    </span>
  );
}
