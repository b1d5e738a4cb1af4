import { ApiKeyAuthenticator, CredentialFeed, type Database, noSharedCache } from '@spooled/data-access';
import type { ServiceContext } from '@spooled/platform';
import { type RedisCredentialCache, type RedisShards, RevokedTokens } from '@spooled/transport';
import { RevokedSessions } from './revoked-sessions.js';

type Service = Pick<ServiceContext<object, never>, 'logger' | 'onStop'>;

/** Reads the changes of credentials for as long as the service runs. */
export function openCredentialFeed(service: Service, database: Database): CredentialFeed {
  const onError = (err: unknown) =>
    service.logger.warn({ err, dependency: 'PostgreSQL' }, 'changes of credentials cannot be read');
  const feed = new CredentialFeed(database, { onError }).start();
  service.onStop('changes of credentials', () => feed.stop());
  return feed;
}

/** What says whom a key speaks for; `shared` null = a deployment without Redis. */
export const openAuthenticator = (
  database: Database,
  feed: CredentialFeed,
  shared: RedisCredentialCache | null,
): ApiKeyAuthenticator => new ApiKeyAuthenticator(database, feed, shared ?? noSharedCache);

/** What knows which sessions have ended; without Redis a logout reaches other processes through the feed alone. */
export const openRevokedSessions = (
  database: Database,
  feed: CredentialFeed,
  redis: RedisShards | null,
  shared: RedisCredentialCache | null,
): RevokedSessions => new RevokedSessions(database, feed, redis && shared && new RevokedTokens(redis, shared));
