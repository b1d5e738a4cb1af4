import { formatDuration } from '../../ui/format';
import { Progress } from '../../ui/progress';
import { Time } from '../../ui/time';
import type { VirtualColumn } from '../../ui/virtual-table';
import { JobLink, QueueLink, WorkerLink } from '../../parts/links';
import type { RunningJob } from './queries';
import styles from './running.module.css';

/** How long a job has run at a time; null while that is unknown. */
const ranMs = ({ startedAt }: RunningJob, checkedAt: string): number | null =>
  startedAt === null ? null : Math.max(0, Date.parse(checkedAt) - Date.parse(startedAt));

/** @param checkedAt when the jobs were read: running times end there */
export const runningColumns = (checkedAt: string): VirtualColumn<RunningJob>[] => [
  { title: 'Job', width: '7.5rem', cell: ({ id }) => <JobLink id={id} /> },
  {
    title: 'Runs for',
    width: '7rem',
    numeric: true,
    value: (job) => ranMs(job, checkedAt),
    cell: (job) => {
      const ms = ranMs(job, checkedAt);
      return ms === null ? '–' : formatDuration(ms);
    },
  },
  {
    title: 'Queue',
    width: 'minmax(7rem, 1fr)',
    value: ({ queueName }) => queueName,
    cell: ({ queueName }) => <QueueLink name={queueName} />,
  },
  { title: 'Type', width: 'minmax(6rem, 1fr)', value: ({ jobType }) => jobType, cell: ({ jobType }) => jobType ?? '–' },
  {
    title: 'Worker',
    width: 'minmax(7rem, 1fr)',
    value: (job) => job.hostname ?? job.workerId,
    cell: (job) => <RunningWorker job={job} />,
  },
  {
    title: 'Attempt',
    width: '6rem',
    numeric: true,
    value: ({ attempt }) => attempt,
    cell: ({ attempt, maxAttempts }) => `${attempt} of ${maxAttempts}`,
  },
  {
    title: 'Progress',
    width: 'minmax(9rem, 1.5fr)',
    value: ({ progress }) => progress,
    cell: ({ progress, progressMessage }) =>
      progress === null ? (
        '–'
      ) : (
        <span className={styles.progress} title={progressMessage ?? undefined}>
          <Progress label="Progress" value={progress} total={100} />
          {`${Math.round(progress)} %`} {progressMessage}
        </span>
      ),
  },
  { title: 'Lease ends', width: '11rem', cell: ({ leaseExpiresAt }) => <Time value={leaseExpiresAt} stacked /> },
];

/** A worker that is not registered has no page. */
function RunningWorker({ job: { workerId, hostname } }: { job: RunningJob }) {
  if (workerId === null) return <>–</>;
  if (hostname === null) return <span title={workerId}>{workerId}</span>;
  return <WorkerLink id={workerId} name={hostname} />;
}
