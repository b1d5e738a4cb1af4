import { EnqueueRequest } from '@spooled/contracts/grpc';
import { isRead, readRequest, type Received } from './received.js';
import { queueService } from './service-definitions.js';

const withText = (size: number): Uint8Array =>
  EnqueueRequest.encode({
    queue_name: 'q',
    payload: { a: 'x'.repeat(size), b: [1, null, { c: true }] },
    priority: 0,
    max_retries: 0,
    timeout_seconds: 0,
    idempotency_key: '',
    tags: {},
  }).finish();

const receive = (bytes: Uint8Array) =>
  queueService.enqueue!.requestDeserialize(Buffer.from(bytes)) as Received<unknown>;

describe('messages of many bytes', () => {
  it('are decoded by the handler, short ones before', async () => {
    for (const size of [10, 500_000]) {
      const bytes = withText(size);
      const received = receive(bytes);
      expect(isRead(received)).toBe(size === 10);
      expect(await readRequest(received)).toEqual(EnqueueRequest.decode(bytes));
    }
  });

  it('are refused when they are broken', async () => {
    const bytes = Buffer.concat([withText(500_000), Buffer.from([0x12, 0x7f])]);
    const refused = Promise.resolve(receive(bytes)).then(readRequest);
    await expect(refused).rejects.toMatchObject({ code: 'BAD_REQUEST', message: 'The request cannot be read' });
  });
});
