import type { RedisCredentialCache } from './credential-cache.js';
import { keys } from '../connection/keys.js';
import type { RedisShards } from '../connection/redis-shards.js';

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

/**
 * Logged out tokens and sessions in Redis (SP-75): what makes a logout act at once everywhere, and what is asked while
 * PostgreSQL, which holds them for good, cannot be.
 */
export class RevokedTokens {
  constructor(
    private readonly shards: RedisShards,
    private readonly notices: Pick<RedisCredentialCache, 'invalidate' | 'onInvalidate'>,
  ) {}

  /** Tells every process, this one first, that the session has ended. Never throws. */
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

  /** Calls `listener` with each session that ends. */
  onRevoked(listener: (sessionId: string) => void): () => void {
    return this.notices.onInvalidate((notice) => {
      if (notice.kind === 'session') listener(notice.sessionId);
    });
  }

  /** Whether Redis knows that the token or its session was revoked. @throws Error when Redis cannot be asked */
  async has({ tokenId, sessionId }: TokenOfSession): Promise<boolean> {
    const { commands } = this.shards.shardOf(sessionId);
    const found = await Promise.all([
      commands.exists(keys.revokedSession(sessionId)),
      commands.exists(keys.revokedToken(tokenId)),
    ]);
    return found.some(Boolean);
  }
}
