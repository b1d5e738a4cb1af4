import { createTenant, useDatabase, useConnections } from '@spooled/testing';
import { saveQueueSettings } from '../queue-settings/queue-settings.js';
import { listPushQueues } from './push-queues.repository.js';

const testDatabase = useDatabase();
const db = useConnections(testDatabase);

const unchanged = { maxRetries: null, timeoutSeconds: null, rateLimit: null, enabled: null };
const receiver = { callback_url: 'https://example.com/', callback_headers: { 'x-a': 'b' }, concurrency: 3 };
const addQueue = (organizationId: string, name: string) =>
  db.withTenant(organizationId, (tx) =>
    saveQueueSettings(
      tx,
      name,
      { ...unchanged, settings: JSON.stringify({ ...receiver, own: 'x'.repeat(1_000) }) },
      { maxRetries: 3, timeoutSeconds: 300 },
    ),
  );

it('BX-03 an organization with more push queues than are listed does not displace those of others', async () => {
  const [many, few] = await Promise.all([0, 1].map(() => createTenant(testDatabase.superuserUrl)));
  for (let i = 0; i < 12; i++) await addQueue(many!.organizationId, `queue-${i}`);
  await addQueue(few!.organizationId, 'only');
  const found = await db.asSystem('list push queues', (tx) => listPushQueues(tx, 10));
  expect(found).toHaveLength(10);
  const own = found.find(({ organizationId }) => organizationId === few!.organizationId);
  expect(own).toMatchObject({ queueName: 'only', hasWork: false, settings: receiver });
  // What else a queue has in its settings may be 64 KB.
  expect(own!.settings).not.toHaveProperty('own');
});
