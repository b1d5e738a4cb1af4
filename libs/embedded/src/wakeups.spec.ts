import { WakeupListener, type WakeupListenerState } from '@spooled/data-access';
import { eventually, fromNow, moveClock } from '@spooled/testing';
import { EmbeddedFixture } from './embedded.fixture.js';

let fixture: EmbeddedFixture;
let listener: WakeupListener;
const states: WakeupListenerState[] = [];
beforeAll(async () => {
  fixture = await EmbeddedFixture.open();
  listener = new WakeupListener({
    url: fixture.database.appUrl,
    applicationName: 'spec',
    queryTimeoutMs: 20_000,
    onChange: (state) => states.push(state),
  });
});
afterAll(async () => {
  await listener?.close();
  await fixture?.close();
});

/** Counts the wake-ups of a queue that another process receives. */
async function listen(organizationId: string, queueName: string): Promise<{ wakeups: number }> {
  const received = { wakeups: 0 };
  listener.onWake(organizationId, queueName, () => received.wakeups++);
  await eventually(() => expect(states).toContainEqual({ listening: true }));
  return received;
}

describe('BX-18 an embedded process notifies other processes of its jobs', () => {
  it('when they are created, at the latest when it closes', async () => {
    const spooled = await fixture.start();
    const mails = await listen(spooled.organizationId, 'mails');
    await spooled.jobs.createMany({ queueName: 'mails', jobs: [{ payload: 1 }, { payload: 2 }] });
    await eventually(() => expect(mails.wakeups).toBe(1));
    const bills = await listen(spooled.organizationId, 'bills');
    await spooled.jobs.create({ queueName: 'bills', payload: 1 });
    await spooled.close(0);
    await eventually(() => expect(bills.wakeups).toBe(1));
  });

  it('when it activates due jobs of other organizations', async () => {
    const producer = await fixture.start();
    const due = await listen(producer.organizationId, 'due');
    await producer.jobs.create({ queueName: 'due', payload: 1, scheduledAt: fromNow(3_600_000).toISOString() });
    await fixture.startWithMaintenance();
    await moveClock(fixture.database, '2 hours');
    await eventually(() => expect(due.wakeups).toBe(1));
  });
});
