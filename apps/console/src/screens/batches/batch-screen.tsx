import { useQuery } from '@tanstack/react-query';
import type { Batch } from '@spooled/sdk/browser';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { JobLink, QueueLinks } from '../../parts/links';
import { formatCount } from '../../ui/format';
import { ItemPage } from '../../ui/item-page';
import { JsonSection } from '../../ui/json-tree';
import { facts, Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { Progress } from '../../ui/progress';
import { BatchActions } from './batch-actions';
import { BatchJobs } from './batch-jobs';
import { type BatchJobStatus, BatchStatusBadge, batchTitle, endedJobs } from './batch-status';
import parts from '../../ui/progress-parts.module.css';
import { batchQuery, callbackStatusesQuery } from './queries';
import { batchRoute } from '../../app/screens';
import { type JobStatus, JobStatusBadge } from '../../ui/job-status';
import { type Column, Table } from '../../ui/table';

/** One batch: how many of its jobs have ended and how, its callback jobs, and its jobs with their results. */
export const BatchScreen = () => (
  <ItemPage
    query={useQuery(batchQuery(batchRoute.useParams().id))}
    kind="Batch"
    back={<Link to="/batches">Batches</Link>}
    title={batchTitle}
    badge={({ status }) => <BatchStatusBadge status={status} />}
    actions={(batch) => <BatchActions batch={batch} />}
  >
    {(batch) => (
      <>
        <Counts batch={batch} />
        <BatchFacts batch={batch} />
        <BatchCallbacks batch={batch} />
        <JsonSection title="Metadata" value={batch.metadata} />
        <BatchJobs batch={batch} />
      </>
    )}
  </ItemPage>
);

const Counts = ({ batch }: { batch: Batch }) => (
  <Section title="Counts">
    <div className={parts.progress}>
      <span className={parts.done}>
        <strong>{`${formatCount(endedJobs(batch))} of ${formatCount(batch.totalJobs)}`}</strong> jobs ended
      </span>
      <Progress label="Jobs ended" value={endedJobs(batch)} total={batch.totalJobs} failed={batch.failedJobs} />
    </div>
    {facts({
      Total: formatCount(batch.totalJobs),
      Waiting: formatCount(batch.pendingJobs),
      Running: formatCount(batch.runningJobs),
      Succeeded: <JobsLink batch={batch} jobs="succeeded" count={batch.succeededJobs} />,
      'Dead letters': <JobsLink batch={batch} jobs="failed" count={batch.failedJobs} />,
      Cancelled: <JobsLink batch={batch} jobs="cancelled" count={batch.cancelledJobs} />,
    })}
  </Section>
);

const JobsLink = ({ batch: { id }, jobs, count }: { batch: Batch; jobs: BatchJobStatus; count: number }): ReactNode =>
  count === 0 ? (
    '0'
  ) : (
    <Link to="/batches/$id" params={{ id }} search={{ jobs }} resetScroll={false}>
      {formatCount(count)}
    </Link>
  );

const BatchFacts = ({ batch: { id, queueNames, createdAt, closedAt, completedAt } }: { batch: Batch }) => (
  <Section title="Details">
    {facts({
      Id: <code>{id}</code>,
      Queues: <QueueLinks names={queueNames.toSorted()} />,
      Created: <Time value={createdAt} stacked />,
      Closed: <Time value={closedAt} stacked />,
      'All jobs ended': <Time value={completedAt} stacked />,
    })}
  </Section>
);

interface Callback {
  name: Batch['callbacks'][number];
  when: string;
  isDeclared: boolean;
  jobId: string | null;
  status: JobStatus | undefined;
}

/** The jobs that the batch creates when its jobs have ended. */
function BatchCallbacks({ batch: { callbacks: declared, callbackJobIds } }: { batch: Batch }) {
  const { onSuccess, onComplete, onDeath } = callbackJobIds;
  const { data = [] } = useQuery(callbackStatusesQuery([onSuccess, onComplete, onDeath].filter((id) => id !== null)));
  const callback = (name: Callback['name'], when: string, jobId: string | null): Callback => {
    return {
      name,
      when,
      isDeclared: declared.includes(name),
      jobId,
      status: data.find(({ id }) => id === jobId)?.status,
    };
  };
  const callbacks = [
    callback('on_success', 'all jobs of the closed batch have completed', onSuccess),
    callback('on_complete', 'all jobs of the closed batch have ended', onComplete),
    callback('on_death', 'a job is a dead letter for the first time', onDeath),
  ];
  return (
    <Section title="Callbacks">
      <Table label="Callbacks" columns={columns} rows={callbacks} rowKey={({ name }) => name} />
    </Section>
  );
}

const columns: Column<Callback>[] = [
  { title: 'Callback', isRowHeader: true, width: '8rem', cell: ({ name }) => <code>{name}</code> },
  { title: 'Created when', cell: ({ when }) => when },
  {
    title: 'Job',
    width: '50%',
    cell: ({ isDeclared, jobId, status }) =>
      jobId === null ? (
        isDeclared ? (
          'Not created yet'
        ) : (
          'The batch was created without it'
        )
      ) : (
        <>
          <JobLink id={jobId} /> {status && <JobStatusBadge status={status} />}
        </>
      ),
  },
];
