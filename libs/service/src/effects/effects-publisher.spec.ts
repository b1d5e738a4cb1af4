import { productMetrics } from '@spooled/contracts';
import { createMetrics } from '@spooled/platform';
import type { Effects } from '@spooled/queue';
import { LocalEffectsPublisher } from './effects-publisher.service.js';

it('live events are counted as dropped in a deployment without Redis', async () => {
  const metrics = createMetrics(productMetrics);
  const publisher = new LocalEffectsPublisher(metrics);
  const event = { type: 'QueueResumed', data: { queue_name: 'mail', timestamp: '2026-01-01T00:00:00Z' } } as const;
  const events: Effects['events'] = [
    { organizationId: 'a', events: [event, event] },
    { organizationId: 'b', events: [event] },
  ];
  publisher.publish({ events });
  publisher.publish({});
  expect(await metrics.registry.metrics()).toMatch(/^spooled_events_dropped_total 3$/m);
});
