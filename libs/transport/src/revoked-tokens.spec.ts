import { randomUUID } from 'node:crypto';
import { eventually, startRedis, type TestRedis } from '@spooled/testing';
import { Opened } from './command-stream.fixture.js';
import { RedisCredentialCache } from './credential-cache.js';
import { RevokedTokens } from './revoked-tokens.js';

let redis: TestRedis;
let opened: Opened;
beforeEach(async () => {
  redis = await startRedis({ persistent: true });
  opened = new Opened();
});
afterEach(async () => {
  await opened.closeAll();
  await redis.close();
});

/** As a process of its own would have it. */
async function openProcess() {
  const shards = opened.shards(redis.url);
  const tokens = new RevokedTokens(shards, new RedisCredentialCache(shards, opened.log));
  await eventually(() => expect(shards.connected).toBe(true));
  return { tokens, shards };
}

const session = () => ({ tokenId: randomUUID() as string, sessionId: randomUUID() as string });
const revocationOf = ({ tokenId, sessionId }: { tokenId: string; sessionId: string }) => ({
  organizationId: 'a',
  sessionId,
  sessionSeconds: 600,
  tokens: [{ tokenId, seconds: 60 }],
});

describe('SP-75 revoked tokens', () => {
  it('are refused at once by every process, and by one that starts later', async () => {
    const [one, two] = [await openProcess(), await openProcess()];
    const [mine, other] = [session(), session()];
    for (const { tokens } of [one, two]) expect(await tokens.isRevoked(mine)).toBe(false);
    await one.tokens.revoke(revocationOf(mine));
    expect(await one.tokens.isRevoked(mine)).toBe(true);
    await eventually(async () => expect(await two.tokens.isRevoked(mine)).toBe(true), { timeoutMs: 3_000 });
    const later = await openProcess();
    expect(await later.tokens.isRevoked(mine)).toBe(true);
    expect(await later.tokens.isRevoked(other)).toBe(false);
  });

  it('take their whole session with them, and are kept no longer than their tokens could live', async () => {
    const { tokens, shards } = await openProcess();
    const mine = session();
    await tokens.revoke(revocationOf(mine));
    const sibling = { tokenId: randomUUID() as string, sessionId: mine.sessionId };
    expect(await (await openProcess()).tokens.isRevoked(sibling)).toBe(true);
    const { commands } = shards.shardOf(mine.sessionId);
    expect(await commands.ttl(`session_revoked:${mine.sessionId}`)).toBeGreaterThan(500);
    expect(await commands.ttl(`token_blacklist:${mine.tokenId}`)).toBeLessThanOrEqual(60);
  });

  it('PB-13 without Redis nothing can be revoked, and tokens are believed but for those known to be revoked', async () => {
    const { tokens } = await openProcess();
    const [mine, other] = [session(), session()];
    await tokens.revoke(revocationOf(mine));
    await redis.kill();
    await expect(tokens.revoke(revocationOf(other))).rejects.toMatchObject({ status: 503 });
    expect(await tokens.isRevoked(other)).toBe(false);
    expect(await tokens.isRevoked(mine)).toBe(true);
  });
});
