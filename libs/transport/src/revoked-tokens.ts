import { unavailable } from '@spooled/domain';
import { LRUCache } from 'lru-cache';
import type { RedisCredentialCache } from './credential-cache.js';
import { keys } from './keys.js';
import type { RedisShards } from './redis-shards.js';

/** A token as its revocation knows it: its own id and the session that it belongs to. */
export interface TokenOfSession {
  tokenId: string;
  sessionId: string;
}

export interface Revocation {
  organizationId: string;
  sessionId: string;
  /** How long the youngest token of the session may still live. */
  sessionSeconds: number;
  /** The tokens that were shown, with what is left of their lives. */
  tokens: { tokenId: string; seconds: number }[];
}

/** Word of a revocation comes at once; this bounds how late it acts when that word is lost in a way nobody noticed. */
const believedMs = 10_000;
/** `max` would reserve room for all of them from the start. */
const rememberedAtMost = { maxSize: 50_000, sizeCalculation: () => 1 };

/**
 * Tokens and sessions that were logged out (SP-75). Redis keeps them until the tokens would have ended anyway; every
 * process hears of a revocation through the notices of the credential cache, and asks Redis about a token now and then.
 */
export class RevokedTokens {
  /** Tokens that were not revoked when Redis was asked; the value is when, by the process's monotonic clock. */
  private readonly clean = new LRUCache<string, number>(rememberedAtMost);
  private readonly revoked = new LRUCache<string, true>(rememberedAtMost);

  constructor(
    private readonly shards: RedisShards,
    private readonly notices: RedisCredentialCache,
  ) {
    notices.onInvalidate((notice) => {
      if (notice.kind === 'session') this.revoked.set(notice.sessionId, true);
      if (notice.kind === 'everything') this.clean.clear();
    });
  }

  /**
   * Ends a session with all its tokens, in every process.
   * @throws SpooledError 503 when Redis cannot keep it; then nothing is promised
   */
  async revoke({ organizationId, sessionId, sessionSeconds, tokens }: Revocation): Promise<void> {
    const { commands } = this.shards.shardOf(sessionId);
    try {
      await Promise.all([
        commands.set(keys.revokedSession(sessionId), '1', 'EX', sessionSeconds),
        ...tokens.map(({ tokenId, seconds }) =>
          commands.set(keys.revokedToken(tokenId), '1', 'EX', Math.max(1, seconds)),
        ),
      ]);
    } catch (cause) {
      throw unavailable('Redis', 1, cause);
    }
    await this.notices.invalidate({ kind: 'session', organizationId, sessionId });
  }

  /** Whether the token or its session was revoked. While Redis is down: only what this process has heard of. */
  async isRevoked({ tokenId, sessionId }: TokenOfSession): Promise<boolean> {
    if (this.revoked.has(sessionId)) return true;
    if (this.isBelieved(tokenId)) return false;
    const { commands } = this.shards.shardOf(sessionId);
    const asked = performance.now();
    try {
      const found = await Promise.all([
        commands.exists(keys.revokedSession(sessionId)),
        commands.exists(keys.revokedToken(tokenId)),
      ]);
      if (found.some(Boolean)) this.revoked.set(sessionId, true);
      else this.clean.set(tokenId, asked);
    } catch {
      // Requests go on through an outage of Redis; the token's key is checked all the same.
    }
    // Word may have come while Redis was asked.
    return this.revoked.has(sessionId);
  }

  private isBelieved(tokenId: string): boolean {
    const since = this.clean.get(tokenId);
    return since !== undefined && this.shards.connected && performance.now() - since < believedMs;
  }
}
