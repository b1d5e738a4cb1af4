import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ItemLink, QueueLink } from '../../parts/links';
import { useOperatorRefusal } from '../../app/use-session';
import { DialogButton } from '../../ui/dialog-buttons';
import { ChoiceFilter, FilterBar, ImmediateFilter } from '../../ui/filters';
import { contains, formatCount, linkText } from '../../ui/format';
import { LoadedRows } from '../../ui/loaded-rows';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import { cronWords } from './cron-words';
import { lastRunQuery, type Schedule, schedulesQuery } from './queries';
import { schedulesRoute, type SchedulesSearch } from '../../app/screens';
import { ScheduleDialog } from './schedule-dialog';
import { RunOutcome, ScheduleState } from './schedule-state';
import common from '../../ui/common.module.css';
import { ZonedTime } from './schedule-times';
import { useSearch } from '../../app/use-search';

const columns: VirtualColumn<Schedule>[] = [
  {
    title: 'Schedule',
    width: 'minmax(10rem, 1.6fr)',
    cell: ({ id, name }) => <ItemLink to="/schedules/$id" id={id} title={name} text={linkText(name)} />,
  },
  {
    title: 'Runs at',
    width: 'minmax(11rem, 1.4fr)',
    cell: ({ cronExpression, timezone }) => (
      <div className={common.stacked} title={cronExpression}>
        <span>{cronWords(cronExpression) ?? cronExpression}</span>
        <span className={common.small}>{timezone}</span>
      </div>
    ),
  },
  { title: 'Queue', width: 'minmax(6rem, 1fr)', cell: ({ queueName }) => <QueueLink name={queueName} /> },
  { title: 'State', width: '9.5rem', cell: (schedule) => <ScheduleState schedule={schedule} /> },
  {
    title: 'Next run',
    width: '17rem',
    cell: ({ nextRunAt, timezone }) => <ZonedTime value={nextRunAt} zone={timezone} />,
  },
  { title: 'Last run', width: '8.5rem', cell: ({ id }) => <LastRun id={id} /> },
  { title: 'Runs', width: '4.5rem', numeric: true, cell: ({ runCount }) => formatCount(runCount) },
];

function LastRun({ id }: { id: string }) {
  const { data } = useQuery(lastRunQuery(id));
  if (data === undefined) return <span className={common.muted}>·</span>;
  return data === null ? <span className={common.muted}>none yet</span> : <RunOutcome run={data} />;
}

/** Schedules with their next runs and how the last ones went. */
export function SchedulesScreen() {
  const search = schedulesRoute.useSearch();
  const refused = useOperatorRefusal();
  return (
    <Page
      title="Schedules"
      actions={
        <DialogButton
          of={{}}
          label="New schedule…"
          variant="primary"
          icon="plus"
          refused={refused}
          dialog={ScheduleDialog}
        />
      }
    >
      <Filters search={search} />
      <ScheduleList search={search} />
    </Page>
  );
}

function Filters({ search }: { search: SchedulesSearch }) {
  const [, change] = useSearch(schedulesRoute);
  return (
    <FilterBar>
      <ImmediateFilter label="Name contains" value={search.name} onChange={(name) => change({ name })} />
      <ImmediateFilter label="Queue" value={search.queue} onChange={(queue) => change({ queue })} />
      <ChoiceFilter
        label="State"
        value={search.state}
        choices={[
          { value: 'active', label: 'Active' },
          { value: 'paused', label: 'Paused' },
        ]}
        onChange={(state) => change({ state })}
      />
    </FilterBar>
  );
}

function ScheduleList({ search }: { search: SchedulesSearch }) {
  const query = useInfiniteQuery(schedulesQuery(search));
  return (
    <LoadedRows
      query={query}
      lines={8}
      filter={({ name }) => contains(name, search.name)}
      empty={<NoSchedules isFiltered={Boolean(search.name ?? search.queue ?? search.state)} />}
    >
      {(rows, more) => (
        <VirtualTable label="Schedules" columns={columns} rows={rows} rowKey={({ id }) => id} {...more} />
      )}
    </LoadedRows>
  );
}

const NoSchedules = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No schedule matches these filters">Remove a filter to see more.</Notice>
  ) : (
    <Notice title="There are no schedules yet">A schedule creates a job whenever its cron expression matches.</Notice>
  );
