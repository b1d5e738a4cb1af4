import { rawJson, type outgoingWebhookSchemas } from '@spooled/contracts';
import type { DeliveryDetails, DeliveryListRow, OutgoingWebhook } from '@spooled/data-access';
import { deliveryEnvelope, disablesAt } from '@spooled/domain';
import { shownReceiver, type Viewer } from '@spooled/service';
import { iso } from '../http/times.js';

/** A webhook without its secret. */
export const toWebhookResponse = (
  row: OutgoingWebhook,
  viewer: Viewer,
  disableAfterSeconds: number,
): outgoingWebhookSchemas.Webhook => ({
  id: row.id,
  organization_id: row.organization_id,
  name: row.name,
  url: shownReceiver(viewer, row.url),
  events: row.events,
  format: row.format as outgoingWebhookSchemas.WebhookFormat,
  enabled: row.enabled,
  failure_count: row.failure_count,
  last_triggered_at: iso(row.last_triggered_at),
  last_status: row.last_status as outgoingWebhookSchemas.Webhook['last_status'],
  retry_seconds: row.retry_seconds,
  failing_since: iso(row.failing_since),
  disables_at: row.enabled && row.failing_since !== null ? disablesAt(row.failing_since, disableAfterSeconds) : null,
  rotation_ends_at: iso(row.rotation_ends_at),
  held_since: iso(row.held_since),
  next_probe_at: iso(row.next_probe_at),
  dropped_count: row.dropped_count,
  dropped_at: iso(row.dropped_at),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
});

/** A delivery as JSON text; `payload` is the json envelope, whatever the webhook's format. */
export const toDeliveryResponse = ({ payload: data, ...delivery }: DeliveryListRow | DeliveryDetails): string =>
  rawJson(delivery, { payload: payloadOf(delivery, data) });

const payloadOf = ({ id, event, created_at: createdAt }: Omit<DeliveryListRow, 'payload'>, data: string): string =>
  deliveryEnvelope({ id, event, createdAt, data });
