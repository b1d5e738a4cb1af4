import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FilterField } from '../../ui/filter-field';
import { SelectField } from '../../ui/field';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { type InboundDelivery, inboundQuery } from './queries';
import { inboundRoute, type InboundSearch, inboundStatuses } from './route';
import { inboundLabels, InboundState } from './webhook-state';
import { WebhookTabs } from './webhooks-screen';
import styles from './webhooks.module.css';

const columns: VirtualColumn<InboundDelivery>[] = [
  { title: 'Received', width: '13rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'State', width: '11.5rem', cell: (delivery) => <InboundState delivery={delivery} /> },
  { title: 'Sender', width: '7rem', cell: ({ provider }) => provider },
  { title: 'Event', width: 'minmax(8rem, 1fr)', cell: ({ eventType }) => <span title={eventType}>{eventType}</span> },
  {
    title: 'Queue',
    width: 'minmax(8rem, 1fr)',
    cell: ({ matchedQueue }) => (
      <Link to="/queues/$name" params={{ name: matchedQueue }}>
        {matchedQueue}
      </Link>
    ),
  },
  {
    title: 'Job',
    width: '8rem',
    cell: ({ jobId }) => (
      <Link to="/jobs/$id" params={{ id: jobId }}>
        …{jobId.slice(-8)}
      </Link>
    ),
  },
];

const choices = [
  { value: '', label: 'All' },
  ...inboundStatuses.map((value) => ({ value, label: inboundLabels[value] })),
] as const;

/** Webhooks that others have sent to the organization, and the jobs that they became. */
export function InboundScreen() {
  const search = inboundRoute.useSearch();
  const navigate = inboundRoute.useNavigate();
  const query = useInfiniteQuery(inboundQuery(search));
  const change = (part: InboundSearch) => void navigate({ search: { ...search, ...part }, replace: true });
  const isFiltered = Boolean(search.status ?? search.queue);
  return (
    <Page title="Received webhooks">
      <WebhookTabs />
      <div className={styles.filters} role="group" aria-label="Filters">
        <FilterField label="Queue" value={search.queue} onChange={(queue) => change({ queue })} />
        <SelectField<(typeof choices)[number]['value']>
          label="State"
          value={search.status ?? ''}
          choices={choices}
          onChange={(status) => change({ status: status === '' ? undefined : status })}
        />
      </div>
      <Loaded query={query} lines={6}>
        {({ pages }) => {
          const rows = pages.flatMap(({ data }) => data);
          return rows.length === 0 ? (
            <Nothing isFiltered={isFiltered} />
          ) : (
            <VirtualTable
              label="Received webhooks"
              columns={columns}
              rows={rows}
              rowKey={({ id }) => id}
              hasMore={query.hasNextPage}
              onEnd={() => void (query.isFetching || query.fetchNextPage())}
            />
          );
        }}
      </Loaded>
      <p className={styles.muted}>
        A call that was refused (wrong signature, token or body) leaves no row here. Its sender gets the reason as the
        response.
      </p>
    </Page>
  );
}

const Nothing = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No received webhook matches these filters">Remove a filter to see more.</Notice>
  ) : (
    <Notice title="Nothing has been received yet">
      GitHub, Stripe and others create jobs by calling the address of your organization, which its settings show.
    </Notice>
  );
