import { useInfiniteQuery } from '@tanstack/react-query';
import { ChoiceFilter, FilterBar } from '../../ui/filters';
import { formatDuration } from '../../ui/format';
import { LoadedRows } from '../../ui/loaded-rows';
import { Notice } from '../../ui/notice';
import { Section } from '../../ui/page';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { DeliveryDialog } from './delivery-dialog';
import { deliveriesQuery, type Delivery, type Webhook } from './queries';
import { webhookRoute } from '../../app/screens';
import { deliveryLabels, DeliveryState, deliveryStatuses } from './webhook-state';
import common from '../../ui/common.module.css';
import { useSearch } from '../../app/use-search';

const choices = deliveryStatuses.map((value) => ({ value, label: deliveryLabels[value] }));

/** How long after its event a delivery arrived, with all of its attempts. */
export const delayOf = ({ createdAt, deliveredAt }: Delivery): string =>
  deliveredAt === null ? '–' : formatDuration(Date.parse(deliveredAt) - Date.parse(createdAt));

export const responseOf = ({ statusCode, error }: Delivery): string => error ?? (statusCode === null ? '–' : 'OK');

const columnsFor = (open: (id: string) => void): VirtualColumn<Delivery>[] => [
  {
    title: 'Event',
    width: 'minmax(10rem, 1fr)',
    cell: ({ id, event }) => (
      <button type="button" className={common.link} onClick={() => open(id)}>
        {event}
      </button>
    ),
  },
  { title: 'State', width: '8rem', cell: (delivery) => <DeliveryState delivery={delivery} /> },
  { title: 'Attempts', width: '6rem', numeric: true, cell: ({ attempts }) => attempts },
  { title: 'Status', width: '5rem', numeric: true, cell: ({ statusCode }) => statusCode ?? '–' },
  { title: 'Arrived after', width: '8rem', numeric: true, cell: delayOf },
  {
    title: 'Result',
    width: 'minmax(8rem, 1.5fr)',
    cell: (delivery) => (
      <span className={delivery.error ? common.error : common.muted} title={responseOf(delivery)}>
        {responseOf(delivery)}
      </span>
    ),
  },
  { title: 'Created', width: '13rem', cell: ({ createdAt }) => <Time value={createdAt} /> },
];

/** What was sent, the newest first; each row opens its request and response. */
export function Deliveries({ webhook }: { webhook: Webhook }) {
  const [search, change] = useSearch(webhookRoute);
  const query = useInfiniteQuery(deliveriesQuery(webhook.id, search));
  const columns = columnsFor((delivery) => change({ delivery }));
  return (
    <Section title="Deliveries">
      <FilterBar>
        <ChoiceFilter label="State" value={search.status} choices={choices} onChange={(status) => change({ status })} />
      </FilterBar>
      <LoadedRows query={query} lines={6} empty={<NoDeliveries isFiltered={search.status !== undefined} />}>
        {(rows, more) => {
          const chosen = rows.find(({ id }) => id === search.delivery);
          return (
            <>
              <VirtualTable label="Deliveries" columns={columns} rows={rows} rowKey={({ id }) => id} {...more} />
              {chosen && (
                <DeliveryDialog webhook={webhook} delivery={chosen} onClose={() => change({ delivery: undefined })} />
              )}
            </>
          );
        }}
      </LoadedRows>
    </Section>
  );
}

const NoDeliveries = ({ isFiltered }: { isFiltered: boolean }) =>
  isFiltered ? (
    <Notice title="No delivery is in this state">Choose another state.</Notice>
  ) : (
    <Notice title="Nothing has been sent yet">A delivery is made for each of its events.</Notice>
  );
