import { Badge, type Look, statusBadge, statusChoices, type StatusLooks } from '../../ui/badge';
import type { Delivery, InboundDelivery, Webhook } from './queries';

function lookOf({ enabled, lastStatus, failureCount, heldSince }: Webhook): Look {
  if (!enabled && lastStatus === 'auto_disabled') {
    return { label: 'Disabled after failures', tone: 'danger', icon: 'stop' };
  }
  if (!enabled) return { label: 'Disabled', tone: 'neutral', icon: 'pause' };
  if (heldSince !== null) return { label: 'Held, receiver fails', tone: 'danger', icon: 'warning' };
  if (failureCount > 0) return { label: `Failing, ${failureCount} in a row`, tone: 'warn', icon: 'warning' };
  if (lastStatus === null) return { label: 'Nothing sent yet', tone: 'neutral', icon: 'circle' };
  return { label: 'Delivers', tone: 'ok', icon: 'check' };
}

/** Whether a webhook gets its events, and if not why. */
export const WebhookState = ({ webhook }: { webhook: Webhook }) => <Badge {...lookOf(webhook)} />;

export const deliveryLabels = { pending: 'Waiting', success: 'Delivered', failed: 'Failed' } as const;
export const deliveryStatuses = Object.keys(deliveryLabels) as (keyof typeof deliveryLabels)[];

/** A delivery with a next attempt is retried by itself, also when it counts as failed. */
export function DeliveryState({ delivery: { status, attempts, nextAttemptAt, held } }: { delivery: Delivery }) {
  if (status === 'success') return <Badge tone="ok" icon="check" label={deliveryLabels.success} />;
  if (held) return <Badge tone="warn" icon="pause" label="Held" />;
  if (status === 'failed' && nextAttemptAt !== null)
    return <Badge tone="danger" icon="refresh" label="Failed, retrying" />;
  if (status === 'failed') return <Badge tone="danger" icon="cross" label={deliveryLabels.failed} />;
  return attempts > 0 ? (
    <Badge tone="warn" icon="refresh" label="Retrying" />
  ) : (
    <Badge tone="info" icon="clock" label={deliveryLabels.pending} />
  );
}

const inboundLooks: StatusLooks<InboundDelivery['status']> = {
  created: { label: 'Accepted', tone: 'ok', icon: 'check' },
  duplicate: { label: 'Accepted before', tone: 'neutral', icon: 'copy' },
  refused: { label: 'Refused', tone: 'danger', icon: 'cross' },
};

export const inboundStatuses = Object.keys(inboundLooks) as InboundDelivery['status'][];
export const inboundStatusChoices = statusChoices(inboundLooks);
export const InboundStatusBadge = statusBadge(inboundLooks);
