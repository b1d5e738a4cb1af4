import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { JobLink, QueueLink } from '../../parts/links';
import { ChoiceFilter, FilterBar, FilterField } from '../../ui/filters';
import { formatCount } from '../../ui/format';
import { LoadedRows } from '../../ui/loaded-rows';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { type InboundDelivery, inboundQuery, lastRefusalQuery } from './queries';
import { inboundRoute } from '../../app/screens';
import { InboundStatusBadge, inboundStatusChoices } from './webhook-state';
import { WebhookTabs } from './webhooks-screen';
import common from '../../ui/common.module.css';
import { useSearch } from '../../app/use-search';

const receivedAt = { title: 'Received', cell: ({ createdAt }: InboundDelivery) => <Time value={createdAt} /> };
const state = { title: 'State', cell: ({ status }: InboundDelivery) => <InboundStatusBadge status={status} /> };
const sender = { title: 'Sender', cell: ({ provider }: InboundDelivery) => provider };
const eventType = {
  title: 'Event',
  cell: (one: InboundDelivery) => <span title={one.eventType}>{one.eventType}</span>,
};

const acceptedColumns: VirtualColumn<InboundDelivery>[] = [
  { ...receivedAt, width: '13rem' },
  { ...state, width: '11.5rem' },
  { ...sender, width: '7rem' },
  { ...eventType, width: 'minmax(8rem, 1fr)' },
  {
    title: 'Queue',
    width: 'minmax(8rem, 1fr)',
    cell: ({ matchedQueue }) => matchedQueue && <QueueLink name={matchedQueue} />,
  },
  { title: 'Job', width: '8rem', cell: ({ jobId }) => jobId && <JobLink id={jobId} /> },
];

const refusedColumns: VirtualColumn<InboundDelivery>[] = [
  { ...receivedAt, width: '12.5rem' },
  { ...state, width: '7rem' },
  { ...sender, width: '5.5rem' },
  { ...eventType, width: 'minmax(6rem, 1fr)' },
  { title: 'Why', width: 'minmax(12rem, 3fr)', cell: ({ reason }) => <span title={reason ?? ''}>{reason}</span> },
  { title: 'From', width: '8.5rem', cell: ({ address }) => <span title={address ?? ''}>{address}</span> },
  { title: 'Calls', width: '4.5rem', numeric: true, cell: ({ calls }) => formatCount(calls) },
];

/** Webhooks that others have sent to the organization, and the jobs that they became. */
export function InboundScreen() {
  const [search, change] = useSearch(inboundRoute);
  const query = useInfiniteQuery(inboundQuery(search));
  const isFiltered = Boolean(search.status ?? search.queue);
  // Which queue a refused call would have been for is not known.
  const isRefused = search.status === 'refused';
  return (
    <Page title="Received webhooks">
      <WebhookTabs />
      <FilterBar>
        {!isRefused && <FilterField label="Queue" value={search.queue} onChange={(queue) => change({ queue })} />}
        <ChoiceFilter
          label="State"
          value={search.status}
          choices={inboundStatusChoices}
          all="All accepted"
          onChange={(status) => change({ status })}
        />
      </FilterBar>
      {!isRefused && <LastRefusal />}
      <LoadedRows query={query} lines={6} empty={<Nothing isFiltered={isFiltered} isRefused={isRefused} />}>
        {(rows, more) => (
          <VirtualTable
            label="Received webhooks"
            columns={isRefused ? refusedColumns : acceptedColumns}
            rows={rows}
            rowKey={({ id }) => id}
            {...more}
          />
        )}
      </LoadedRows>
      <p className={common.muted}>
        Of refused calls the newest 1,000 are kept, without their bodies; equal ones within seconds are one row. Calls
        beyond the limit of an address are not listed.
      </p>
    </Page>
  );
}

/** Senders that are set up wrongly show among refused calls only. */
function LastRefusal() {
  const { data: last } = useQuery(lastRefusalQuery);
  if (!last) return null;
  return (
    <Notice
      tone="warn"
      title={
        <>
          A call of {last.provider} was refused <Time value={last.createdAt} />
        </>
      }
      action={
        <Link to="/webhooks/received" search={{ status: 'refused' }}>
          Show refused calls
        </Link>
      }
    >
      {last.reason}
    </Notice>
  );
}

function Nothing({ isFiltered, isRefused }: { isFiltered: boolean; isRefused: boolean }) {
  if (isRefused) return <Notice title="No call was refused">Wrong signatures, tokens and bodies appear here.</Notice>;
  if (isFiltered) {
    return <Notice title="No received webhook matches these filters">Remove a filter to see more.</Notice>;
  }
  return (
    <Notice title="Nothing has been received yet">
      GitHub, Stripe and others create jobs by calling the address of your organization, which its settings show.
    </Notice>
  );
}
