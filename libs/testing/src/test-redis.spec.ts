import { Redis } from 'ioredis';
import { eventually } from './eventually.js';
import { startRedis } from './test-redis.js';

describe('startRedis', () => {
  it('can be killed and started again on the same port, and keeps its data if persistent', async () => {
    const server = await startRedis({ persistent: true });
    const client = new Redis(server.url);
    client.on('error', () => undefined);
    try {
      await client.set('a', '1');
      await server.stop();
      await server.start();
      expect(await client.get('a')).toBe('1');
      await server.kill();
      await server.start();
      await eventually(async () => expect(await client.ping()).toBe('PONG'));
    } finally {
      client.disconnect();
      await server.close();
    }
  });
});
