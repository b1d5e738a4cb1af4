import type { EventEnvelope } from '@spooled/contracts';
import { QueueChanges, queuePaused, queueResumed } from './queue-changes.js';

/** The changes of a process without Redis, and what they cause. */
function open() {
  const published: object[] = [];
  const forgotten: string[][] = [];
  const told: object[] = [];
  const changes = new QueueChanges({
    effects: { publish: (effects: object) => void published.push(effects) } as never,
    redis: null,
    shared: { invalidate: (notice: object) => Promise.resolve(void told.push(notice)) } as never,
    rates: { forget: (...queue: string[]) => void forgotten.push(queue) } as never,
  });
  return { changes, published, forgotten, told };
}
const wakeups = [{ organizationId: 'a', queueName: 'mail' }];
const at = '2026-01-01T00:00:00Z';

describe('a change of a queue', () => {
  it.each<['paused' | 'resumed' | null, EventEnvelope | null, object[]]>([
    ['paused', queuePaused('mail', 'repair', at), []],
    ['paused', null, []],
    ['resumed', queueResumed('mail', at), wakeups],
    [null, null, wakeups],
  ])('%s wakes claims unless it is a pause, and shows subscribers %j', (control, event, woken) => {
    const { changes, published } = open();
    changes.publish('a', 'mail', control, { event, deliveries: ['d1'] });
    expect(published).toEqual([
      {
        events: event === null ? [] : [{ organizationId: 'a', events: [event] }],
        wakeups: woken,
        deliveries: [{ id: 'd1', organizationId: 'a' }],
      },
    ]);
  });

  it('has its rate read again here and its settings everywhere', () => {
    const { changes, published, forgotten, told } = open();
    changes.publish('a', 'mail', null);
    expect(forgotten).toEqual([['a', 'mail']]);
    expect(told).toEqual([{ kind: 'queue', organizationId: 'a', queueName: 'mail' }]);
    expect(published).toEqual([{ events: [], wakeups, deliveries: [] }]);
  });
});
