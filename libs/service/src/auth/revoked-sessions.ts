import { entriesUpTo } from '@spooled/clock';
import { type CredentialFeed, type Database, findRevokedSession, revokeSession } from '@spooled/data-access';
import { SpooledError } from '@spooled/domain';
import type { Revocation, RevokedTokens, TokenOfSession } from '@spooled/transport';
import { LRUCache } from 'lru-cache';

const cacheLimit = { ...entriesUpTo(50_000), ttl: 3_600_000 };

/**
 * Sessions that were logged out (SP-75). PostgreSQL keeps them until the last of their tokens would have expired, so a logout
 * survives restarts of Redis and of every process; other processes receive it as a notice, or at the next poll of the feed.
 */
export class RevokedSessions {
  private readonly revoked = new LRUCache<string, true>(cacheLimit);
  /** Sessions that were not revoked at their last database check; the value is its time on the monotonic clock. */
  private readonly clean = new LRUCache<string, number>(cacheLimit);

  /** @param shared null = a deployment without Redis */
  constructor(
    private readonly database: Database,
    private readonly feed: CredentialFeed,
    private readonly shared: Pick<RevokedTokens, 'publish' | 'onRevoked' | 'has'> | null,
  ) {
    shared?.onRevoked((sessionId) => this.markRevoked(sessionId));
    feed.onChange((change) => {
      if (change === 'everything') this.clean.clear();
      else if (change.kind === 'session') this.markRevoked(change.subject);
    });
  }

  /** Revokes a session with all its tokens, in every process. @throws SpooledError 503 when PostgreSQL is unavailable */
  async revoke(revocation: Revocation): Promise<void> {
    const { organizationId, sessionId, sessionSeconds } = revocation;
    await this.database.withTenant(organizationId, (tx) =>
      tx.run(revokeSession, { sessionId, seconds: sessionSeconds }),
    );
    this.markRevoked(sessionId);
    await this.shared?.publish(revocation);
  }

  /**
   * Whether the session was revoked. Queries the database at the first use of a session in this process, and Redis when the
   * database is unavailable.
   * @throws SpooledError 503 when neither is available
   */
  async isRevoked(organizationId: string, token: TokenOfSession): Promise<boolean> {
    const { sessionId } = token;
    if (this.revoked.has(sessionId)) return true;
    const since = this.clean.get(sessionId);
    if (since !== undefined && this.feed.isCurrent(since)) return false;
    const startedAt = this.feed.clock.monotonic();
    try {
      const revoked = await this.database.withTenant(organizationId, (tx) =>
        tx.first(findRevokedSession, { sessionId }),
      );
      // It may have been revoked during the query.
      if (revoked || this.revoked.has(sessionId)) return this.markRevoked(sessionId);
      this.clean.set(sessionId, startedAt);
      return false;
    } catch (error) {
      if (!(error instanceof SpooledError) || !this.shared) throw error;
      return this.shared.has(token).catch(() => {
        throw error;
      });
    }
  }

  private markRevoked(sessionId: string): true {
    this.revoked.set(sessionId, true);
    this.clean.delete(sessionId);
    return true;
  }
}
