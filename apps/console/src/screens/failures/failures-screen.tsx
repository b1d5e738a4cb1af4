import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { QueueLink } from '../../parts/links';
import { useOperatorRefusal } from '../../app/use-session';
import { Button } from '../../ui/button';
import { filterWords } from '../../parts/filter-words';
import { ChoiceFilter, FilterBar, FilterField } from '../../ui/filters';
import { formatCount, linkText } from '../../ui/format';
import { LoadedRows } from '../../ui/loaded-rows';
import { Page } from '../../ui/page';
import { CountBars } from '../../ui/count-bars';
import { Time } from '../../ui/time';
import { VirtualTable, type VirtualColumn } from '../../ui/virtual-table';
import common from '../../ui/common.module.css';
import styles from './failures.module.css';
import { JobSearchField } from '../jobs/job-search-field';
import { JobsTable } from '../jobs/jobs-table';
import { Notice } from '../../ui/notice';
import { Causes } from './causes';
import { isEmpty, NoFailures } from './no-failures';
import { PurgeDialog } from './purge-dialog';
import { deadLettersQuery, type FailureGroup, filterOf, groupsQuery } from './queries';
import { ReplayDialog } from './replay-dialog';
import { type FailuresSearch, failuresRoute } from '../../app/screens';
import { useSearch } from '../../app/use-search';

const columns = (search: string | undefined): VirtualColumn<FailureGroup>[] => [
  {
    title: 'Cause and type',
    width: 'minmax(14rem, 3fr)',
    cell: ({ id, error, jobType }) => (
      <div className={common.stacked}>
        <Link to="/failures/$id" params={{ id }} search={{ search }} className={styles.cause} title={error}>
          {linkText(error) || 'No error text'}
        </Link>
        <span className={common.small}>{jobType || 'no type'}</span>
      </div>
    ),
  },
  { title: 'Queue', width: 'minmax(6rem, 1fr)', cell: ({ queueName }) => <QueueLink name={queueName} /> },
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
  const [act, setAct] = useState<'purge' | 'replay' | null>(null);
  const filter = filterOf(search);
  const Dialog = act === 'purge' ? PurgeDialog : ReplayDialog;
  const amount = isEmpty(filter) ? 'all' : 'matching';
  return (
    <Page
      title={search.cause === undefined ? 'Failures' : 'Failures of one cause'}
      back={
        search.cause !== undefined && (
          <Link to="/failures" search={{ search: search.search }}>
            Failures
          </Link>
        )
      }
      actions={
        <>
          <Button refused={refused} onPress={() => setAct('purge')}>
            {`Purge ${amount}…`}
          </Button>
          <Button refused={refused} icon="refresh" onPress={() => setAct('replay')}>
            {`Replay ${amount}…`}
          </Button>
        </>
      }
    >
      <Filters search={search} />
      <List search={search} />
      {act && (
        <Dialog
          // A search that is read when its field is left changes what shows: the dialog begins again with that.
          key={JSON.stringify(filter)}
          name={filterWords('dead letters', filter)}
          selection={isEmpty(filter) ? { all: true } : filter}
          onClose={() => setAct(null)}
        />
      )}
    </Page>
  );
}

function List({ search }: { search: FailuresSearch }) {
  if (search.view === 'jobs') return <FoundDeadLetters search={search} />;
  return search.cause === undefined ? <Causes search={search} /> : <Groups search={search} />;
}

function Filters({ search }: { search: FailuresSearch }) {
  const [, change] = useSearch(failuresRoute);
  const isByCause = search.view !== 'jobs';
  return (
    <>
      <JobSearchField value={search.search} statuses={['deadletter']} onChange={(text) => change({ search: text })} />
      <FilterBar>
        {isByCause && <FilterField label="Error or type contains" value={search.q} onChange={(q) => change({ q })} />}
        <FilterField label="Queue" value={search.queue} onChange={(queue) => change({ queue })} />
        {isByCause && (
          <ChoiceFilter
            label="Order"
            value={search.order}
            choices={[{ value: 'last_seen', label: 'Newest first' }]}
            all="Most first"
            onChange={(order) => change({ order })}
          />
        )}
        {search.search !== undefined && (
          <ChoiceFilter
            label="Show"
            value={search.view}
            choices={[{ value: 'jobs', label: 'Single dead letters' }]}
            all="Causes"
            onChange={(view) => change({ view })}
          />
        )}
      </FilterBar>
    </>
  );
}

const Groups = ({ search }: { search: FailuresSearch }) => (
  <LoadedRows query={useInfiniteQuery(groupsQuery(search))} lines={8} empty={<NoFailures search={search} />}>
    {(rows, more) => (
      <VirtualTable
        label="Types of this cause"
        columns={columns(search.search)}
        rows={rows}
        rowKey={({ id }) => id}
        {...more}
      />
    )}
  </LoadedRows>
);

const deadLetterColumns = 'queue,type,attempts,created,error';

/** The dead letters that a search finds, newest first. */
const FoundDeadLetters = ({ search }: { search: FailuresSearch }) => (
  <LoadedRows
    query={useInfiniteQuery(deadLettersQuery(search))}
    lines={8}
    empty={<Notice title="No dead letter matches">Remove a term to see more.</Notice>}
  >
    {(jobs, more) => <JobsTable jobs={jobs} columns={deadLetterColumns} {...more} />}
  </LoadedRows>
);
