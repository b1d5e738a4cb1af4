import type { RedisCredentialCache } from './credential-cache.js';
import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

/** The ids of a token and of its session. */
export interface TokenOfSession {
  tokenId: string;
  sessionId: string;
}

export interface Revocation {
  organizationId: string;
  sessionId: string;
  /** Remaining lifetime of the session's newest token. */
  sessionSeconds: number;
  /** The presented tokens and their remaining lifetimes. */
  tokens: { tokenId: string; seconds: number }[];
}

/**
 * Revoked tokens and sessions in Redis (SP-75): makes a logout effective everywhere at once, and is checked while
 * PostgreSQL, the durable store, is unavailable.
 */
export class RevokedTokens {
  constructor(
    private readonly shards: RedisShards,
    private readonly notices: Pick<RedisCredentialCache, 'invalidate' | 'onInvalidate'>,
  ) {}

  /** Notifies every process, this one first, that the session was revoked. Never throws. */
  async publish({ organizationId, sessionId, sessionSeconds, tokens }: Revocation): Promise<void> {
    const { commands } = this.shards.shardOf(sessionId);
    await Promise.allSettled([
      this.notices.invalidate({ kind: 'session', organizationId, sessionId }),
      commands.set(keys.revokedSession(sessionId), '1', 'EX', sessionSeconds),
      ...tokens.map(({ tokenId, seconds }) =>
        commands.set(keys.revokedToken(tokenId), '1', 'EX', Math.max(1, seconds)),
      ),
    ]);
  }

  /** Calls `listener` with each revoked session. */
  onRevoked(listener: (sessionId: string) => void): () => void {
    return this.notices.onInvalidate((notice) => {
      if (notice.kind === 'session') listener(notice.sessionId);
    });
  }

  /** Whether the token or its session is revoked in Redis. @throws Error when Redis is unavailable */
  async has({ tokenId, sessionId }: TokenOfSession): Promise<boolean> {
    const { commands } = this.shards.shardOf(sessionId);
    const found = await Promise.all([
      commands.exists(keys.revokedSession(sessionId)),
      commands.exists(keys.revokedToken(tokenId)),
    ]);
    return found.some(Boolean);
  }
}
