import { useQuery } from '@tanstack/react-query';
import { ItemLink } from '../../parts/links';
import { linkText } from '../../ui/format';
import type { Session } from '../../api/session';
import { mayOperate, useSession } from '../../app/use-session';
import { isForAllQueues } from '../../parts/roles';
import { DialogButton } from '../../ui/dialog-buttons';
import { Loaded } from '../../ui/loaded';
import { Notice } from '../../ui/notice';
import { Page } from '../../ui/page';
import { TabLinks } from '../../ui/tab-links';
import { Time } from '../../ui/time';
import { type VirtualColumn, VirtualTable } from '../../ui/virtual-table';
import { recentDeliveriesQuery, type Webhook, webhooksQuery } from './queries';
import { CreateWebhookDialog, useWebhookSecret } from './signed-webhook-dialogs';
import { WebhookState } from './webhook-state';
import common from '../../ui/common.module.css';

export const WebhookTabs = () => (
  <TabLinks
    label="Direction"
    items={[
      { to: '/webhooks', label: 'Sent' },
      { to: '/webhooks/received', label: 'Received' },
    ]}
  />
);

const columns: VirtualColumn<Webhook>[] = [
  {
    title: 'Webhook',
    width: 'minmax(9rem, 1.2fr)',
    cell: ({ id, name }) => <ItemLink to="/webhooks/$id" id={id} text={linkText(name)} />,
  },
  { title: 'State', width: '13.5rem', cell: (webhook) => <WebhookState webhook={webhook} /> },
  { title: 'Address', width: 'minmax(11rem, 2fr)', cell: ({ url }) => <span title={url}>{url}</span> },
  {
    title: 'Events',
    width: '5.5rem',
    numeric: true,
    cell: ({ events }) => <span title={events.join(', ')}>{events.length}</span>,
  },
  { title: 'Delivered', width: '9rem', numeric: true, cell: ({ id }) => <Successes id={id} /> },
  { title: 'Last sent', width: '13rem', cell: ({ lastTriggeredAt }) => <Time value={lastTriggeredAt} /> },
];

/** The share of the latest deliveries that succeeded; pending ones are not counted. */
function Successes({ id }: { id: string }) {
  const { data } = useQuery(recentDeliveriesQuery(id));
  if (!data) return <span className={common.muted}>·</span>;
  const ended = data.filter(({ status }) => status !== 'pending');
  if (ended.length === 0) return <span className={common.muted}>–</span>;
  const good = ended.filter(({ status }) => status === 'success').length;
  return <>{`${Math.round((good / ended.length) * 100)} % of last ${ended.length}`}</>;
}

/** Events are of all queues. */
const refusalOf = ({ apiKey }: Session): string | null =>
  isForAllQueues(apiKey?.queues ?? []) ? null : 'it takes a key for all queues';

/** The webhooks that Spooled sends: who gets them, whether they arrive. */
export function WebhooksScreen() {
  const query = useQuery(webhooksQuery);
  const session = useSession();
  const [secretDialog, onSecret] = useWebhookSecret();
  return (
    <Page
      title="Webhooks"
      actions={
        mayOperate(session) && (
          <DialogButton
            of={{ onSecret }}
            label="Add a webhook"
            variant="primary"
            icon="plus"
            refused={refusalOf(session)}
            dialog={CreateWebhookDialog}
          />
        )
      }
    >
      <WebhookTabs />
      <Loaded query={query} lines={6}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Notice title="There are no webhooks yet">
              A webhook calls an address of yours when jobs end, queues pause and so on. Add one with its address and
              events.
            </Notice>
          ) : (
            <VirtualTable label="Webhooks" columns={columns} rows={webhooks} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
      {secretDialog}
    </Page>
  );
}
