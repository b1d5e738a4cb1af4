import { useInfiniteQuery } from '@tanstack/react-query';
import type { Batch } from '@spooled/sdk/browser';
import { ItemLink } from '../../parts/links';
import { ChoiceFilter, FilterBar } from '../../ui/filters';
import { formatCount } from '../../ui/format';
import { LoadedRows } from '../../ui/loaded-rows';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Progress } from '../../ui/progress';
import { Elapsed, Time } from '../../ui/time';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import { BatchStatusBadge, batchStatusChoices, batchTitle, endedJobs } from './batch-status';
import parts from '../../ui/progress-parts.module.css';
import { batchesQuery } from './queries';
import { useSearch } from '../../app/use-search';
import { batchesRoute } from '../../app/screens';

const columns: VirtualColumn<Batch>[] = [
  {
    title: 'Batch',
    width: 'minmax(9rem, 2fr)',
    cell: (batch) => (
      <ItemLink to="/batches/$id" id={batch.id} title={batch.name ?? batch.id} text={batchTitle(batch)} />
    ),
  },
  { title: 'Status', width: '8.5rem', cell: ({ status }) => <BatchStatusBadge status={status} /> },
  {
    title: 'Jobs ended',
    width: 'minmax(12rem, 1fr)',
    cell: (batch) => (
      <span className={parts.stacked}>
        <Progress label="Jobs ended" value={endedJobs(batch)} total={batch.totalJobs} failed={batch.failedJobs} />
        {`${formatCount(endedJobs(batch))} of ${formatCount(batch.totalJobs)}`}
      </span>
    ),
  },
  { title: 'Running', width: '5.5rem', numeric: true, cell: ({ runningJobs }) => formatCount(runningJobs) },
  { title: 'Dead letters', width: '7rem', numeric: true, cell: ({ failedJobs }) => formatCount(failedJobs) },
  { title: 'Created', width: '11rem', cell: ({ createdAt }) => <Time value={createdAt} stacked /> },
  {
    title: 'Took',
    width: '7rem',
    numeric: true,
    cell: ({ createdAt, completedAt, status }) => (
      <Elapsed from={createdAt} to={completedAt} isOver={status === 'cancelled'} />
    ),
  },
];

/** Batches, the newest first. */
export function BatchesScreen() {
  const [{ status }, change] = useSearch(batchesRoute);
  const query = useInfiniteQuery(batchesQuery(status));
  return (
    <Page title="Batches">
      <FilterBar>
        <ChoiceFilter
          label="Status"
          value={status}
          choices={batchStatusChoices}
          onChange={(chosen) => change({ status: chosen })}
        />
      </FilterBar>
      <LoadedRows query={query} lines={8} empty={<NoBatches isFiltered={status !== undefined} />}>
        {(rows, more) => (
          <VirtualTable label="Batches" columns={columns} rows={rows} rowKey={({ id }) => id} width={60} {...more} />
        )}
      </LoadedRows>
    </Page>
  );
}

const NoBatches = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No batch has this status">Choose another one to see more.</Notice>
  ) : (
    <Notice title="There are no batches yet">
      A batch counts jobs that were added to it, and creates callback jobs when they have ended. Applications create
      batches over the API or an SDK.
    </Notice>
  );
