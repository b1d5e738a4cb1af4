import { useInfiniteQuery } from '@tanstack/react-query';
import type { Batch, BatchJob } from '@spooled/sdk/browser';
import { useMemo } from 'react';
import { ItemLink, JobLink, QueueLink } from '../../parts/links';
import { ChoiceFilter, FilterBar } from '../../ui/filters';
import { useHiddenPaths, withoutHidden } from '../../ui/hidden-values';
import { JobStatusBadge } from '../../ui/job-status';
import { compactJson } from '../../ui/json-text';
import { LoadedRows } from '../../ui/loaded-rows';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { Elapsed, Time } from '../../ui/time';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import { batchJobStatuses, batchJobStatusName } from './batch-status';
import common from '../../ui/common.module.css';
import { batchJobsQuery } from './queries';
import { batchRoute } from '../../app/screens';

const choices = batchJobStatuses.map((value) => ({ value, label: batchJobStatusName(value) }));

const columns: VirtualColumn<BatchJob>[] = [
  { title: 'Job', width: '7.5rem', cell: ({ id }) => <JobLink id={id} /> },
  { title: 'Status', width: '8.5rem', cell: ({ status }) => <JobStatusBadge status={status} /> },
  { title: 'Queue', width: 'minmax(7rem, 1fr)', cell: ({ queueName: name }) => <QueueLink name={name} /> },
  { title: 'Type', width: 'minmax(6rem, 1fr)', cell: ({ jobType }) => jobType || '–' },
  { title: 'Created', width: '11rem', cell: ({ createdAt }) => <Time value={createdAt} stacked /> },
  {
    title: 'Ran',
    width: '6rem',
    numeric: true,
    cell: ({ startedAt, completedAt, status }) => (
      <Elapsed from={startedAt} to={completedAt} isOver={status !== 'processing'} />
    ),
  },
  { title: 'Result or error', width: 'minmax(10rem, 2fr)', cell: (job) => <Outcome job={job} /> },
];

/** Its jobs in the order of their creation, with what each returned or failed with. */
export function BatchJobs({ batch }: { batch: Batch }) {
  const { jobs: status } = batchRoute.useSearch();
  const navigate = batchRoute.useNavigate();
  const query = useInfiniteQuery(batchJobsQuery(batch, status));
  return (
    <Section title="Jobs">
      <FilterBar>
        <ChoiceFilter
          label="Jobs"
          value={status}
          choices={choices}
          onChange={(jobs) => void navigate({ search: { jobs }, replace: true, resetScroll: false })}
        />
      </FilterBar>
      <LoadedRows query={query} lines={6} empty={<NoJobs isEmpty={batch.totalJobs === 0} />}>
        {(rows, more) => (
          <VirtualTable
            label="Jobs of the batch"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            width={60}
            {...more}
          />
        )}
      </LoadedRows>
    </Section>
  );
}

/** As much of a result as a cell could show. */
const longestResult = 300;

function Outcome({ job: { id, status, result, error, documentsOmitted } }: { job: BatchJob }) {
  const paths = useHiddenPaths();
  const text = useMemo(
    () => (result === null ? null : compactJson(withoutHidden(result, paths).document).slice(0, longestResult)),
    [result, paths],
  );
  if (documentsOmitted) return <ItemLink to="/jobs/$id" id={id} text="In the job: the page is too large" />;
  if (text !== null) return <code title={text}>{text}</code>;
  // A job keeps the error of its last failed attempt when a later one succeeds.
  if (error === null || status === 'completed') return <span className={common.muted}>–</span>;
  return (
    <span className={common.error} title={error}>
      {error}
    </span>
  );
}

const NoJobs = ({ isEmpty }: { isEmpty: boolean }) =>
  isEmpty ? (
    <Notice title="The batch has no jobs yet">Applications add them over the API or an SDK.</Notice>
  ) : (
    <Notice title="No job of the batch is in this state">Jobs that were deleted are counted, but not listed.</Notice>
  );
