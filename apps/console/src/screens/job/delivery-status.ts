import type { JobTimeline } from '@spooled/sdk/browser';
import type { Tone } from '../../ui/badge';
import type { IconName } from '../../ui/icon';

type DeliveryStatus = JobTimeline['deliveries'][number]['status'];

/** How the status of a webhook delivery shows. */
export const deliveryLooks: Record<DeliveryStatus, { label: string; tone: Tone; icon: IconName }> = {
  pending: { label: 'Pending', tone: 'neutral', icon: 'circle' },
  success: { label: 'Delivered', tone: 'ok', icon: 'check' },
  failed: { label: 'Failed', tone: 'danger', icon: 'cross' },
};
