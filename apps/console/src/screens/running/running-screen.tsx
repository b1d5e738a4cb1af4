import type { ResponseBody } from '@spooled/sdk/browser';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { PageOfQueue } from '../../parts/page-of-queue';
import { durationOf, formatBounded, formatCount } from '../../ui/format';
import { NotChecked, Notice } from '../../ui/notice';
import { TableTools, useHiddenColumns } from '../../ui/table-tools';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { JobSearchField } from '../jobs/job-search-field';
import { runningRoute, type RunningSearch } from '../../app/screens';
import common from '../../ui/common.module.css';
import { useSearch } from '../../app/use-search';
import { Progress } from '../../ui/progress';
import { Time } from '../../ui/time';
import { JobLink, QueueLink, WorkerLink } from '../../parts/links';
import styles from './running.module.css';
import { api } from '../../api/client';

/** Progress and leases change without events. */
const refreshMs = 3_000;

type Running = ResponseBody<'GET /api/v1/jobs/running'>;
type RunningJob = Running['jobs'][number];

const runningQuery = ({ queue, search }: RunningSearch) =>
  queryOptions({
    queryKey: ['jobs', 'running', queue ?? '', search ?? ''],
    queryFn: ({ signal }) => api.jobs.running({ queue, search }, { signal }),
    refetchInterval: refreshMs,
    meta: { label: 'Running jobs', topics: ['jobs'] },
  });

/** The jobs that run now, the longest first: what hangs is at the top. */
export function RunningScreen() {
  const [search, change] = useSearch(runningRoute);
  return (
    <PageOfQueue
      title="Running now"
      queue={search.queue}
      onQueue={(queue) => change({ queue })}
      searchLine={
        <JobSearchField value={search.search} statuses={['processing']} onChange={(line) => change({ search: line })} />
      }
      query={useQuery(runningQuery(search))}
    >
      {(running) => <RunningJobs running={running} isSearched={search.search !== undefined} />}
    </PageOfQueue>
  );
}

const keyOf = ({ id }: RunningJob): string => id;

interface RunningJobsProps {
  running: Running;
  isSearched: boolean;
}

function RunningJobs({ running: { jobs, running, checkedAt, notChecked }, isSearched }: RunningJobsProps) {
  const [hidden, hide] = useHiddenColumns('running');
  const columns = useMemo(() => runningColumns(checkedAt), [checkedAt]);
  if (jobs.length === 0 && isSearched) return <NoMatch isPartial={running.atLeast} />;
  if (jobs.length === 0) return <Notice title="No job runs">Jobs show here while a worker holds them.</Notice>;
  return (
    <>
      <NotChecked reasons={notChecked} title="Not everything could be looked up" separator=", " />
      <TableTools columns={columns} hidden={hidden} onHide={hide}>
        <span className={common.small} aria-live="polite">
          {summaryOf(jobs.length, running, isSearched)}
        </span>
      </TableTools>
      <VirtualTable label="Running jobs" columns={columns} hidden={hidden} rows={jobs} rowKey={keyOf} width={62} />
    </>
  );
}

function summaryOf(listed: number, running: Running['running'], isSearched: boolean): string {
  if (isSearched && running.atLeast && listed === running.count) {
    return `${formatCount(listed)} found among the longest; not all were compared`;
  }
  if (listed < running.count || running.atLeast)
    return `The ${formatCount(listed)} longest of ${formatBounded(running)}`;
  return `${formatCount(listed)} in all`;
}

/** In place of a list without rows. `isPartial`: not all running jobs were compared. */
const NoMatch = ({ isPartial }: { isPartial: boolean }) => (
  <Notice title="No running job matches">
    {isPartial
      ? 'Only the jobs that have run longest were compared. Add a queue or a worker to compare fewer.'
      : 'Remove a term to see more.'}
  </Notice>
);

/** How long a job has run at a time; null while that is unknown. */
const ranMs = ({ startedAt }: RunningJob, checkedAt: string): number | null =>
  startedAt === null ? null : Math.max(0, Date.parse(checkedAt) - Date.parse(startedAt));

/** @param checkedAt when the jobs were read: running times end there */
const runningColumns = (checkedAt: string): VirtualColumn<RunningJob>[] => [
  { title: 'Job', width: '7.5rem', cell: ({ id }) => <JobLink id={id} /> },
  {
    title: 'Runs for',
    width: '7rem',
    numeric: true,
    value: (job) => ranMs(job, checkedAt),
    cell: (job) => durationOf(ranMs(job, checkedAt)),
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
