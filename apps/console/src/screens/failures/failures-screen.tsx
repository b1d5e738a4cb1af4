import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperatorRefusal } from '../../app/use-operator-refusal';
import { ActButton } from '../../ui/act-button';
import { SelectField, TextField } from '../../ui/field';
import { FilterBar } from '../../ui/filter-bar';
import { formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { CountBars } from '../../ui/count-bars';
import { Time } from '../../ui/time';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import styles from './failures.module.css';
import { PurgeDialog } from './purge-dialog';
import { type FailureGroup, groupsQuery } from './queries';
import { ReplayDialog } from './replay-dialog';
import { type FailuresSearch, failuresRoute, groupOrders } from './route';

const columns: VirtualColumn<FailureGroup>[] = [
  {
    title: 'Cause and type',
    width: 'minmax(14rem, 3fr)',
    cell: ({ id, error, jobType }) => (
      <div className={styles.stacked}>
        <Link to="/failures/$id" params={{ id }} className={styles.cause} title={error}>
          {error || 'No error text'}
        </Link>
        <span className={styles.type}>{jobType || 'no type'}</span>
      </div>
    ),
  },
  {
    title: 'Queue',
    width: 'minmax(6rem, 1fr)',
    cell: ({ queueName }) => (
      <Link to="/queues/$name" params={{ name: queueName }}>
        {queueName}
      </Link>
    ),
  },
  { title: 'Dead letters', width: '7.5rem', numeric: true, cell: ({ count }) => formatCount(count) },
  {
    title: 'Last 24 hours',
    width: '8.5rem',
    cell: ({ perHour }) => <CountBars label="Dead letters per hour of the last 24 hours" values={perHour} />,
  },
  { title: 'First', width: '11rem', cell: ({ firstSeen }) => <Time value={firstSeen} stacked /> },
  { title: 'Last', width: '11rem', cell: ({ lastSeen }) => <Time value={lastSeen} stacked /> },
];

/** Dead letters by cause, with acts on all of them or those of one queue. */
export function FailuresScreen() {
  const search = failuresRoute.useSearch();
  const refused = useOperatorRefusal();
  const [dialog, setDialog] = useState<'replay' | 'purge' | null>(null);
  const close = () => setDialog(null);
  const selection = search.queue ? { queueName: search.queue } : { all: true };
  const name = search.queue ? `dead letters of ${search.queue}` : 'all dead letters';
  return (
    <Page
      title="Failures"
      actions={
        <>
          <ActButton refused={refused} onPress={() => setDialog('purge')}>
            {search.queue ? 'Purge this queue…' : 'Purge all…'}
          </ActButton>
          <ActButton refused={refused} icon="refresh" onPress={() => setDialog('replay')}>
            {search.queue ? 'Replay this queue…' : 'Replay all…'}
          </ActButton>
        </>
      }
    >
      <Filters search={search} />
      <Groups search={search} />
      {dialog === 'replay' && <ReplayDialog name={name} selection={selection} onClose={close} />}
      {dialog === 'purge' && <PurgeDialog name={name} selection={selection} onClose={close} />}
    </Page>
  );
}

function Filters({ search }: { search: FailuresSearch }) {
  const navigate = failuresRoute.useNavigate();
  const change = (part: FailuresSearch) => void navigate({ search: { ...search, ...part }, replace: true });
  return (
    <FilterBar>
      <TextField
        label="Error or type contains"
        type="search"
        value={search.q ?? ''}
        onChange={(q) => change({ q: q || undefined })}
      />
      <TextField
        label="Queue"
        type="search"
        value={search.queue ?? ''}
        onChange={(queue) => change({ queue: queue || undefined })}
      />
      <SelectField
        label="Order"
        value={search.order ?? 'count'}
        choices={groupOrders.map((value) => ({ value, label: value === 'count' ? 'Most first' : 'Newest first' }))}
        onChange={(order) => change({ order: order === 'count' ? undefined : order })}
      />
    </FilterBar>
  );
}

function Groups({ search }: { search: FailuresSearch }) {
  const query = useInfiniteQuery(groupsQuery(search));
  return (
    <Loaded query={query} lines={8}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data).filter((group) => matches(group, search.q ?? ''));
        if (rows.length === 0 && !query.hasNextPage) return <NoGroups isFiltered={Boolean(search.q ?? search.queue)} />;
        return (
          <VirtualTable
            label="Failures by cause"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            hasMore={query.hasNextPage}
            onEnd={() => void (query.isFetching || query.fetchNextPage())}
          />
        );
      }}
    </Loaded>
  );
}

const matches = ({ error, jobType }: FailureGroup, part: string): boolean =>
  [error, jobType].some((text) => text.toLowerCase().includes(part.toLowerCase()));

const NoGroups = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No failure matches these filters">Remove a filter to see more.</Notice>
  ) : (
    <Notice tone="ok" title="There are no dead letters">
      Jobs that have used all their attempts appear here, grouped by cause.
    </Notice>
  );
