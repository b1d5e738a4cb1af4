import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { JobLink, QueueLinks } from '../../parts/links';
import { formatCount } from '../../ui/format';
import { ItemPage } from '../../ui/item-page';
import { JsonSection } from '../../ui/json-tree';
import { NotChecked, Notice } from '../../ui/notice';
import { facts, Section } from '../../ui/page';
import { type JobInHand, jobsInHandQuery, type WorkerDetails, workerQuery } from './queries';
import { workerRoute } from '../../app/screens';
import { WorkerActions } from './worker-actions';
import { type WorkerStatus, WorkerStatusBadge } from './worker-status';
import common from '../../ui/common.module.css';
import { Loaded } from '../../ui/loaded';
import { Progress } from '../../ui/progress';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';
import parts from '../../ui/progress-parts.module.css';

/** One worker: how it is, and what it has in hand. */
export const WorkerScreen = () => (
  <ItemPage
    query={useQuery(workerQuery(workerRoute.useParams().id))}
    kind="Worker"
    back={<Link to="/workers">Workers</Link>}
    title={({ hostname }) => hostname}
    badge={({ status }) => <WorkerStatusBadge status={status} />}
    actions={(worker) => <WorkerActions worker={worker} />}
    none={
      <Notice title="No worker is registered with this id">
        A worker may claim jobs without being registered. Its jobs are among those in processing.
      </Notice>
    }
  >
    {(worker) => (
      <>
        <Meaning status={worker.status} />
        <WorkerFacts worker={worker} />
        <JobsInHand id={worker.id} />
        <JsonSection title="Metadata" value={hasMembers(worker.metadata) ? worker.metadata : null} />
      </>
    )}
  </ItemPage>
);

const meanings: Partial<Record<WorkerStatus, string>> = {
  degraded: 'It has missed at least two heartbeats. After five it counts as offline.',
  draining: 'It ends the jobs that it holds, and gets no more until it is taken back or registers again.',
  offline:
    'It has sent no heartbeat for a while, or has said that it stops. Others get its jobs when their leases end.',
};

const Meaning = ({ status }: { status: WorkerStatus }) =>
  meanings[status] && <Notice tone={status === 'degraded' ? 'warn' : 'info'} title={meanings[status]} />;

const hasMembers = (value: unknown): boolean =>
  value !== null && (typeof value !== 'object' || Object.keys(value).length > 0);

const WorkerFacts = ({ worker }: { worker: WorkerDetails }) =>
  facts({
    'Slots in use': `${formatCount(worker.currentJobs)} of ${formatCount(worker.maxConcurrency)}`,
    'Last heartbeat': <Time value={worker.lastHeartbeat} stacked />,
    Queues: <QueueLinks names={worker.queueNames} />,
    Version: worker.version ?? '–',
    Type: worker.workerType ?? '–',
    'Jobs completed': formatCount(worker.jobsProcessed),
    'Attempts failed': formatCount(worker.jobsFailed),
    Registered: <Time value={worker.registeredAt} stacked />,
    Id: <span className={common.mono}>{worker.id}</span>,
  });

const columns: Column<JobInHand>[] = [
  { title: 'Job', isRowHeader: true, cell: ({ id }) => <JobLink id={id} /> },
  { title: 'Type', cell: ({ jobType }) => jobType ?? '–' },
  { title: 'Queue', cell: ({ queueName }) => queueName },
  { title: 'Attempt', numeric: true, cell: ({ attempt, maxAttempts }) => `${attempt} of ${maxAttempts}` },
  { title: 'Begun', cell: ({ startedAt }) => <Time value={startedAt} /> },
  { title: 'Lease ends', cell: ({ leaseExpiresAt }) => <Time value={leaseExpiresAt} /> },
  {
    title: 'Progress',
    cell: ({ progress, progressMessage }) =>
      progress === null ? (
        '–'
      ) : (
        <span className={parts.done}>
          <Progress label="Progress" value={progress} total={100} />
          {`${Math.round(progress)} %`} {progressMessage}
        </span>
      ),
  },
];

/** The jobs that a worker holds now, with the ends of their leases. */
function JobsInHand({ id }: { id: string }) {
  const query = useQuery(jobsInHandQuery(id));
  return (
    <Section title="Running jobs" aside={query.data && formatCount(query.data.jobs.length)}>
      <Loaded query={query}>
        {({ jobs, notChecked }) => (
          <>
            <NotChecked reasons={notChecked} title="Not everything could be looked up" separator=", " />
            <Table
              label="Running jobs"
              columns={columns}
              rows={jobs}
              rowKey={({ id: job }) => job}
              empty={<Notice title="It holds no job">It waits for jobs of its queues, or has stopped.</Notice>}
            />
          </>
        )}
      </Loaded>
    </Section>
  );
}
