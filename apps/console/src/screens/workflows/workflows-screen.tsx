import { useInfiniteQuery } from '@tanstack/react-query';
import { ItemLink } from '../../parts/links';
import { ChoiceFilter, FilterBar, ImmediateFilter } from '../../ui/filters';
import { contains, formatCount } from '../../ui/format';
import { LoadedRows } from '../../ui/loaded-rows';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Progress } from '../../ui/progress';
import { Elapsed, Time } from '../../ui/time';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import { type WorkflowRow, workflowsQuery } from './queries';
import { workflowsRoute } from '../../app/screens';
import { WorkflowStatusBadge, workflowStatusChoices, workflowTitle } from './workflow-status';
import parts from '../../ui/progress-parts.module.css';
import { useSearch } from '../../app/use-search';

const columns: VirtualColumn<WorkflowRow>[] = [
  {
    title: 'Workflow',
    width: 'minmax(10rem, 2fr)',
    cell: (workflow) => (
      <ItemLink to="/workflows/$id" id={workflow.id} title={workflow.name} text={workflowTitle(workflow)} />
    ),
  },
  { title: 'Status', width: '8.5rem', cell: ({ status }) => <WorkflowStatusBadge status={status} /> },
  {
    title: 'Jobs completed',
    width: 'minmax(11rem, 1fr)',
    cell: ({ completedJobs, failedJobs, totalJobs }) => (
      <span className={parts.done}>
        <Progress label="Jobs ended" value={completedJobs + failedJobs} total={totalJobs} failed={failedJobs} />
        {`${formatCount(completedJobs)} of ${formatCount(totalJobs)}`}
      </span>
    ),
  },
  { title: 'Failed', width: '5rem', numeric: true, cell: ({ failedJobs }) => formatCount(failedJobs) },
  { title: 'Created', width: '11rem', cell: ({ createdAt }) => <Time value={createdAt} stacked /> },
  {
    title: 'Took',
    width: '7rem',
    numeric: true,
    cell: ({ startedAt, completedAt, status }) => (
      <Elapsed from={startedAt} to={completedAt} isOver={status !== 'running' && status !== 'pending'} />
    ),
  },
];

/** Workflows, the newest first. */
export function WorkflowsScreen() {
  const [search, change] = useSearch(workflowsRoute);
  const query = useInfiniteQuery(workflowsQuery(search.status));
  return (
    <Page title="Workflows">
      <FilterBar>
        <ImmediateFilter label="Name contains" value={search.name} onChange={(name) => change({ name })} />
        <ChoiceFilter
          label="Status"
          value={search.status}
          choices={workflowStatusChoices}
          onChange={(status) => change({ status })}
        />
      </FilterBar>
      <LoadedRows
        query={query}
        lines={8}
        filter={({ name }) => contains(name, search.name)}
        empty={<NoWorkflows isFiltered={Boolean(search.name ?? search.status)} />}
      >
        {(rows, more) => (
          <VirtualTable label="Workflows" columns={columns} rows={rows} rowKey={({ id }) => id} {...more} />
        )}
      </LoadedRows>
    </Page>
  );
}

const NoWorkflows = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No workflow matches these filters">Remove a filter to see more.</Notice>
  ) : (
    <Notice title="There are no workflows yet">
      A workflow is a set of jobs that depend on each other. Applications create them over the API or an SDK.
    </Notice>
  );
