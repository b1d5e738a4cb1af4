import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ChoiceFilter, FilterBar, ImmediateFilter } from '../../ui/filters';
import { contains, formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { facts, Page } from '../../ui/page';
import { Progress } from '../../ui/progress';
import { Time } from '../../ui/time';
import { useOnEnd } from '../../ui/use-on-end';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import { type WorkerDetails, type WorkerRow, workerRowQuery, workersQuery, workerVersionsQuery } from './queries';
import { workersRoute, type WorkersSearch } from '../../app/screens';
import { WorkerLink } from '../../parts/links';
import { type WorkerStatus, WorkerStatusBadge, workerStatusChoices } from './worker-status';
import { WorkerVersions } from './worker-versions';
import common from '../../ui/common.module.css';
import parts from '../../ui/progress-parts.module.css';
import styles from './workers.module.css';
import { useSearch } from '../../app/use-search';

const columns: VirtualColumn<WorkerRow>[] = [
  {
    title: 'Worker',
    width: 'minmax(10rem, 1.6fr)',
    cell: ({ id, hostname }) => (
      <div className={common.stacked}>
        <WorkerLink id={id} name={hostname} />
        <span className={styles.small} title={id}>
          {id}
        </span>
      </div>
    ),
  },
  { title: 'Status', width: '8.5rem', cell: ({ status }) => <WorkerStatusBadge status={status} /> },
  {
    title: 'Queues',
    width: 'minmax(6.5rem, 1fr)',
    cell: (row) => <Detail row={row} value={({ queueNames }) => queueNames.join(', ')} meanwhile={row.queueName} />,
  },
  {
    title: 'Slots in use',
    width: '9.5rem',
    cell: ({ currentJobs, maxConcurrency }) => (
      <span className={parts.done}>
        <Progress label="Slots in use" value={currentJobs} total={maxConcurrency} />
        {`${formatCount(currentJobs)} of ${formatCount(maxConcurrency)}`}
      </span>
    ),
  },
  { title: 'Heartbeat', width: '11rem', cell: ({ lastHeartbeat }) => <Time value={lastHeartbeat} stacked /> },
  { title: 'Version', width: '5.5rem', cell: (row) => <Detail row={row} value={({ version }) => version ?? '–'} /> },
  { title: 'Completed', width: '6.75rem', numeric: true, cell: ({ jobsProcessed }) => formatCount(jobsProcessed) },
  { title: 'Failed', width: '5rem', numeric: true, cell: ({ jobsFailed }) => formatCount(jobsFailed) },
];

interface DetailProps {
  row: WorkerRow;
  value: (worker: WorkerDetails) => ReactNode;
  /** Until it is read. */
  meanwhile?: ReactNode;
}

/** The cells of a row share one query, which runs only while the row is in view. */
function Detail({ row, value, meanwhile = '·' }: DetailProps) {
  const { data } = useQuery(workerRowQuery(row.id));
  return data ? <>{value(data)}</> : <span className={common.muted}>{meanwhile}</span>;
}

/** Registered workers: their slots, and which are offline. */
export function WorkersScreen() {
  const search = workersRoute.useSearch();
  const versions = useQuery(workerVersionsQuery);
  const query = useInfiniteQuery(workersQuery);
  const onEnd = useOnEnd(query);
  // The list is below the versions, and waits for them so that it does not move.
  const list = { ...query, data: versions.isPending ? undefined : query.data };
  return (
    <Page title="Workers">
      <Loaded query={list} lines={8}>
        {({ pages }) => {
          const all = pages.flatMap(({ data }) => data);
          if (all.length === 0) return <NoWorkers />;
          const rows = all.filter((worker) => matches(worker, search));
          return (
            <>
              <Summary workers={all} isPart={query.hasNextPage} />
              {versions.data && versions.data.versions.length > 0 && <WorkerVersions found={versions.data} />}
              <Filters search={search} />
              {rows.length === 0 && !query.hasNextPage ? (
                <Notice title="No worker matches these filters">Remove a filter to see more.</Notice>
              ) : (
                <VirtualTable
                  label="Workers"
                  columns={columns}
                  rows={rows}
                  rowKey={({ id }) => id}
                  hasMore={query.hasNextPage}
                  onEnd={onEnd}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

/** Of the workers that are loaded; offline ones have no slots. */
function Summary({ workers, isPart }: { workers: readonly WorkerRow[]; isPart: boolean }) {
  const present = workers.filter(({ status }) => status !== 'offline');
  const sum = (value: (worker: WorkerRow) => number) => present.reduce((total, worker) => total + value(worker), 0);
  const count = (number: number) => `${formatCount(number)}${isPart ? ' or more' : ''}`;
  const numberOf = (status: WorkerStatus) => count(workers.filter((worker) => worker.status === status).length);
  return facts({
    ...Object.fromEntries(workerStatusChoices.map(({ value, label }) => [label, numberOf(value)])),
    'Slots in use': `${count(sum(({ currentJobs }) => currentJobs))} of ${count(sum(({ maxConcurrency }) => maxConcurrency))}`,
  });
}

function Filters({ search }: { search: WorkersSearch }) {
  const [, change] = useSearch(workersRoute);
  return (
    <FilterBar>
      <ImmediateFilter label="Host, id or queue contains" value={search.q} onChange={(q) => change({ q })} />
      <ChoiceFilter
        label="Status"
        value={search.status}
        choices={workerStatusChoices}
        onChange={(status) => change({ status })}
      />
    </FilterBar>
  );
}

const matches = ({ hostname, id, queueName, status }: WorkerRow, search: WorkersSearch): boolean =>
  (search.status === undefined || search.status === status) &&
  [hostname, id, queueName].some((text) => contains(text, search.q));

const NoWorkers = () => (
  <Notice title="There are no workers yet">
    A worker appears when it registers. Start one with an SDK and a key of this organization.
  </Notice>
);
