import { integer, setting } from '@spooled/platform';

/** How long a webhook may fail: shown by the gateway, applied by the webhooks service. */
export const deliverySettings = {
  OUTGOING_WEBHOOK_DISABLE_AFTER_SECS: setting(
    integer({ min: 60, max: 2_592_000 }).default(432_000),
    'A webhook whose deliveries fail for this many seconds without a success is disabled.',
  ),
};
