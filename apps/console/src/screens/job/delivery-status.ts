import type { JobTimeline } from '@spooled/sdk/browser';
import type { StatusLooks } from '../../ui/badge';

type DeliveryStatus = JobTimeline['deliveries'][number]['status'];

/** How the status of a webhook delivery shows. */
export const deliveryLooks: StatusLooks<DeliveryStatus> = {
  pending: { label: 'Pending', tone: 'neutral', icon: 'circle' },
  success: { label: 'Delivered', tone: 'ok', icon: 'check' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
};
