import { randomUUID } from 'node:crypto';
import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { TransportFixture } from '../commands/command-stream.fixture.js';
import { RedisCredentialCache } from './credential-cache.js';
import { RevokedTokens } from './revoked-tokens.js';

let redis: TestRedis;
let fixture: TransportFixture;
beforeEach(async () => {
  redis = await startRedis({ persistent: true });
  fixture = new TransportFixture();
});
afterEach(async () => {
  await fixture.closeAll();
  await redis.close();
});

/** A separate process. */
async function openProcess() {
  const shards = fixture.shards(redis.url);
  const tokens = new RevokedTokens(shards, new RedisCredentialCache(shards, fixture.log));
  const received: string[] = [];
  tokens.onRevoked((sessionId) => received.push(sessionId));
  await eventually(() => expect(shards.connected).toBe(true));
  return { tokens, shards, received };
}

const session = () => ({ tokenId: randomUUID() as string, sessionId: randomUUID() as string });
const revocationOf = ({ tokenId, sessionId }: { tokenId: string; sessionId: string }) => ({
  organizationId: 'a',
  sessionId,
  sessionSeconds: 600,
  tokens: [{ tokenId, seconds: 60 }],
});

describe('SP-75 revoked tokens in Redis', () => {
  it('are published to every process at once, and visible to one that starts later', async () => {
    const [one, two] = [await openProcess(), await openProcess()];
    const [mine, other] = [session(), session()];
    await one.tokens.publish(revocationOf(mine));
    expect(one.received).toContain(mine.sessionId);
    await eventually(() => expect(two.received).toContain(mine.sessionId));
    const later = await openProcess();
    expect(await later.tokens.has(mine)).toBe(true);
    expect(await later.tokens.has(other)).toBe(false);
  });

  it('revoke their whole session, and are kept no longer than the lifetime of their tokens', async () => {
    const { tokens, shards } = await openProcess();
    const mine = session();
    await tokens.publish(revocationOf(mine));
    const sibling = { tokenId: randomUUID() as string, sessionId: mine.sessionId };
    expect(await (await openProcess()).tokens.has(sibling)).toBe(true);
    const { commands } = shards.shardOf(mine.sessionId);
    expect(await commands.ttl(`session_revoked:${mine.sessionId}`)).toBeGreaterThan(500);
    expect(await commands.ttl(`token_blacklist:${mine.tokenId}`)).toBeLessThanOrEqual(60);
  });

  it('are still published in this process while Redis is down, and reads reject', async () => {
    const { tokens, received } = await openProcess();
    const mine = session();
    await redis.kill();
    await tokens.publish(revocationOf(mine));
    expect(received).toContain(mine.sessionId);
    await expect(tokens.has(mine)).rejects.toThrow();
  });
});
