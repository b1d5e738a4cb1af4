import { once } from 'node:events';
import { constants } from 'node:http2';
import { createTenant, eventually, useForAll } from '@spooled/testing';
import { claimed, createJobs, jobStreams, openGrpc, openStream } from './unread-grpc.fixture.js';

/** The least limit that can be set, and a payload of which four are almost as much. */
const most = { MAX_UNSENT_BYTES: '1048576' };
const characters = 225_000;

describe('streams that are not read', () => {
  const grpc = useForAll(
    () => openGrpc({ ...most, UNREAD_TIMEOUT_SECS: '3600' }),
    ({ close }) => close(),
  );

  it.each(jobStreams)(
    'BX-03 %s: hold few jobs, leave room for those of others, and go on when they are read',
    async (kind) => {
      const { gateway, sessions, database } = grpc;
      const [unread, other] = await Promise.all([
        createTenant(database.superuserUrl),
        createTenant(database.superuserUrl),
      ]);
      await createJobs(gateway, unread, 16, characters);
      const streams = Array.from({ length: 6 }, () => openStream(sessions[0], unread, kind));
      await eventually(async () => expect(await claimed(gateway, unread)).toBeGreaterThan(0));
      const reading = openStream(sessions[1], other, 'stream_batches');
      // One after another, which gives the others time to claim.
      for (let i = 0; i < 10; i++) {
        const received = once(reading, 'data');
        await createJobs(gateway, other, 1, 10);
        await received;
      }
      expect(await claimed(gateway, unread)).toBeLessThanOrEqual(4);
      for (const stream of streams) stream.resume();
      await eventually(async () => expect(await claimed(gateway, unread)).toBe(16));
      for (const stream of [...streams, reading]) stream.close(constants.NGHTTP2_CANCEL);
    },
  );
});

describe('streams that are not read for UNREAD_TIMEOUT_SECS', () => {
  const grpc = useForAll(
    () => openGrpc({ MAX_UNSENT_BYTES: '4194304', UNREAD_TIMEOUT_SECS: '1' }),
    ({ close }) => close(),
  );

  it.each(jobStreams)(
    'BX-03 %s: end with RESOURCE_EXHAUSTED and return their jobs while others of their organization wait',
    async (kind) => {
      const { gateway, sessions, database } = grpc;
      const tenant = await createTenant(database.superuserUrl);
      await createJobs(gateway, tenant, 6, 900_000);
      const unread = Array.from({ length: 4 }, () => openStream(sessions[0], tenant, kind));
      const firstEnd = new Promise((resolve) => {
        for (const stream of unread) stream.once('close', () => resolve(stream.rstCode));
      });
      // Streams also end for one of the four that waits, and have returned their jobs then.
      const ended = () => unread.filter(({ closed }) => closed).length;
      await eventually(async () => expect((await claimed(gateway, tenant)) + ended()).toBeGreaterThanOrEqual(3));
      const reading = openStream(sessions[1], tenant, 'stream_batches').resume();
      expect(await firstEnd).toBe(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      const bytes = { received: 0 };
      reading.on('data', (chunk: Buffer) => (bytes.received += chunk.length));
      // One stream may continue, because none waits for it.
      await eventually(() => expect(bytes.received).toBeGreaterThan(3 * 900_000));
      for (const stream of [...unread, reading]) stream.close(constants.NGHTTP2_CANCEL);
    },
  );
});
