import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useOperatorRefusal } from '../../app/use-operator-refusal';
import { ActButton } from '../../ui/act-button';
import { filterWords } from '../../parts/filter-words';
import { SelectField } from '../../ui/field';
import { FilterBar } from '../../ui/filter-bar';
import { FilterField } from '../../ui/filter-field';
import { formatCount } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { CountBars } from '../../ui/count-bars';
import { Time } from '../../ui/time';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import styles from './failures.module.css';
import { JobSearchField } from '../jobs/job-search-field';
import { Causes } from './causes';
import { FoundDeadLetters } from './found-dead-letters';
import { isEmpty, NoFailures } from './no-failures';
import { PurgeDialog } from './purge-dialog';
import { type FailureGroup, filterOf, type GroupsFilter, groupsQuery } from './queries';
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

/** Dead letters by cause, with acts on those that the filter shows. */
export function FailuresScreen() {
  const search = failuresRoute.useSearch();
  const refused = useOperatorRefusal();
  // As the filter was when the act was chosen.
  const [act, setAct] = useState<{ dialog: typeof PurgeDialog; filter: GroupsFilter } | null>(null);
  const filter = filterOf(search);
  const amount = isEmpty(filter) ? 'all' : 'matching';
  return (
    <Page
      title={search.cause === undefined ? 'Failures' : 'Failures of one cause'}
      back={search.cause !== undefined && <Link to="/failures">Failures</Link>}
      actions={
        // The acts have no search: they would take others than those that show.
        search.search === undefined && (
          <>
            <ActButton refused={refused} onPress={() => setAct({ dialog: PurgeDialog, filter })}>
              {`Purge ${amount}…`}
            </ActButton>
            <ActButton refused={refused} icon="refresh" onPress={() => setAct({ dialog: ReplayDialog, filter })}>
              {`Replay ${amount}…`}
            </ActButton>
          </>
        )
      }
    >
      <Filters search={search} />
      <List search={search} />
      {act && (
        <act.dialog
          name={filterWords('dead letters', act.filter)}
          selection={isEmpty(act.filter) ? { all: true } : act.filter}
          onClose={() => setAct(null)}
        />
      )}
    </Page>
  );
}

function List({ search }: { search: FailuresSearch }) {
  if (search.search !== undefined) return <FoundDeadLetters search={search} />;
  return search.cause === undefined ? <Causes search={search} /> : <Groups search={search} />;
}

function Filters({ search }: { search: FailuresSearch }) {
  const navigate = failuresRoute.useNavigate();
  const change = (part: FailuresSearch) => void navigate({ search: { ...search, ...part }, replace: true });
  const queue = <FilterField label="Queue" value={search.queue} onChange={(name) => change({ queue: name })} />;
  const line = (
    <JobSearchField value={search.search} statuses={['deadletter']} onChange={(text) => change({ search: text })} />
  );
  if (search.search !== undefined) {
    return (
      <>
        {line}
        <FilterBar>{queue}</FilterBar>
      </>
    );
  }
  return (
    <>
      {line}
      <FilterBar>
        <FilterField label="Error or type contains" value={search.q} onChange={(q) => change({ q })} />
        {queue}
        <SelectField
          label="Order"
          value={search.order ?? 'count'}
          choices={groupOrders.map((value) => ({ value, label: value === 'count' ? 'Most first' : 'Newest first' }))}
          onChange={(order) => change({ order: order === 'count' ? undefined : order })}
        />
      </FilterBar>
    </>
  );
}

function Groups({ search }: { search: FailuresSearch }) {
  const query = useInfiniteQuery(groupsQuery(search));
  return (
    <Loaded query={query} lines={8}>
      {({ pages }) => {
        const rows = pages.flatMap(({ data }) => data);
        if (rows.length === 0) return <NoFailures search={search} />;
        return (
          <VirtualTable
            label="Types of this cause"
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
