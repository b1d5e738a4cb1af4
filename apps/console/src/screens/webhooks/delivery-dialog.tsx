import { JobLink } from '../../parts/links';
import { api } from '../../api/client';
import { useAct } from '../../app/use-act';
import { mayOperate, useSession } from '../../app/use-session';
import { Button } from '../../ui/button';
import { Dialog, DialogActions } from '../../ui/dialog';
import { JsonTree } from '../../ui/json-tree';
import { facts } from '../../ui/page';
import { delayOf, responseOf } from './deliveries';
import { type Delivery, type DeliveryAttempt, deliveryQuery, type Webhook } from './queries';
import { DeliveryState } from './webhook-state';
import common from '../../ui/common.module.css';
import styles from './webhooks.module.css';
import { useQuery } from '@tanstack/react-query';
import { formatDuration } from '../../ui/format';
import { Loaded } from '../../ui/loaded';
import { type Column, Table } from '../../ui/table';
import { Time } from '../../ui/time';

interface DeliveryDialogProps {
  webhook: Webhook;
  delivery: Delivery;
  onClose(): void;
}

/** What was sent and what came back. */
export const DeliveryDialog = ({ webhook, delivery, onClose }: DeliveryDialogProps) => (
  <Dialog title={`Delivery of ${delivery.event}`} size="l" onClose={onClose}>
    <div className={common.detail}>
      {facts({
        State: <DeliveryState delivery={delivery} />,
        Attempts: delivery.attempts,
        Status: delivery.statusCode ?? 'No response',
        'Arrived after': delayOf(delivery),
        Created: <Time value={delivery.createdAt} stacked />,
        Arrived: <Time value={delivery.deliveredAt} stacked />,
        'Next attempt': delivery.nextAttemptAt !== null && <Time value={delivery.nextAttemptAt} stacked />,
        Job: jobOf(delivery) && <JobLink id={jobOf(delivery)!} />,
      })}
      {delivery.error && <p className={common.error}>{responseOf(delivery)}</p>}
      <h3>Request</h3>
      <JsonTree label="Request" value={delivery.payload} />
      <h3>Attempts</h3>
      <Attempts webhookId={webhook.id} id={delivery.id} />
      <h3>Last response</h3>
      {delivery.responseBody ? (
        <pre className={styles.body} role="group" aria-label="Response" tabIndex={0}>
          {delivery.responseBody}
        </pre>
      ) : (
        <p className={common.muted}>{delivery.statusCode === null ? 'There was none.' : 'Its body is empty.'}</p>
      )}
    </div>
    <DialogActions>
      <Retry webhook={webhook} delivery={delivery} />
      <Button onPress={onClose}>Close</Button>
    </DialogActions>
  </Dialog>
);

function Retry({ webhook, delivery }: Omit<DeliveryDialogProps, 'onClose'>) {
  const session = useSession();
  const [busy, act] = useAct();
  if (!mayOperate(session)) return null;
  const reason = whyNot(webhook, delivery);
  const send = () => api.outgoingWebhooks.retryDelivery(webhook.id, delivery.id);
  return (
    <>
      {reason && <span className={common.muted}>{reason}</span>}
      <Button
        icon="refresh"
        variant="primary"
        isDisabled={busy || reason !== null}
        onPress={() => act('The delivery is sent again', send, 'webhooks')}
      >
        Send again
      </Button>
    </>
  );
}

/** Why a delivery cannot be sent again; null if it can. */
function whyNot({ enabled }: Webhook, { status }: Delivery): string | null {
  if (status === 'success') return 'It has arrived.';
  if (status === 'pending') return 'It waits for its next attempt.';
  return enabled ? null : 'Enable the webhook first.';
}

/** The job that the event is about. */
function jobOf({ payload }: Delivery): string | null {
  const { data } = payload as { data?: { job_id?: unknown } };
  return typeof data?.job_id === 'string' ? data.job_id : null;
}

const headersOf = ({ responseHeaders }: DeliveryAttempt): string =>
  Object.entries(responseHeaders)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

const columns: Column<DeliveryAttempt>[] = [
  { title: 'Attempt', numeric: true, isRowHeader: true, cell: ({ attempt }) => attempt },
  { title: 'Ended', cell: ({ endedAt }) => <Time value={endedAt} /> },
  { title: 'Took', numeric: true, cell: ({ latencyMs }) => formatDuration(latencyMs) },
  { title: 'Status', numeric: true, cell: ({ statusCode }) => statusCode ?? '–' },
  { title: 'Result', cell: (attempt) => <span title={headersOf(attempt)}>{attempt.error ?? 'OK'}</span> },
  { title: 'Next attempt', cell: ({ nextAttemptAt }) => <Time value={nextAttemptAt} /> },
];

/** The newest attempts of a delivery, oldest first. */
const Attempts = ({ webhookId, id }: { webhookId: string; id: string }) => (
  <Loaded query={useQuery(deliveryQuery(webhookId, id))} lines={2}>
    {({ attemptHistory }) => (
      <Table
        label="Attempts"
        columns={columns}
        rows={attemptHistory}
        rowKey={({ attempt }) => String(attempt)}
        empty={<p className={common.muted}>There was none.</p>}
      />
    )}
  </Loaded>
);
