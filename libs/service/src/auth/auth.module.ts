import { Global, Module } from '@nestjs/common';
import {
  ApiKeyAuthenticator,
  ApiKeyDigests,
  CredentialFeed,
  Database,
  LastUseWriter,
  noSharedCache,
} from '@spooled/data-access';
import { AppLogger, SERVICE, SETTINGS, type ServiceContext, type SettingsOf } from '@spooled/platform';
import { type RedisCredentialCache, type RedisShards, RevokedTokens } from '@spooled/transport';
import { LimitsModule } from '../limits/limits.module.js';
import { provider } from '../provider.js';
import type { apiKeySettings } from '../settings/auth.settings.js';
import { PlansModule } from '../settings/plans.module.js';
import { REDIS, SHARED_CREDENTIALS } from '../tokens.js';
import { AccessTokens } from './access-tokens.js';
import { Authenticator } from './authenticator.service.js';
import { CallerAuthenticator } from './caller-authenticator.service.js';
import { CredentialsModule } from './credentials.module.js';
import { openTokens } from './open-tokens.js';
import { RevokedSessions } from './revoked-sessions.js';
import { TokenAuthenticator } from './token-authenticator.js';

type Shared = RedisCredentialCache | null;

const openDigests = (settings: SettingsOf<typeof apiKeySettings>): ApiKeyDigests =>
  new ApiKeyDigests(settings.API_KEY_PEPPER);

const openKeys = (
  logger: AppLogger,
  database: Database,
  feed: CredentialFeed,
  digests: ApiKeyDigests,
  shared: Shared,
): ApiKeyAuthenticator =>
  new ApiKeyAuthenticator(database, feed, shared ?? noSharedCache, {
    digests,
    onProblem: (reason, api_key_id, err) =>
      logger.warn({ api_key_id, reason, err }, 'API key digest outdated or unverifiable'),
  });

function openLastUse(database: Database, { logger, onStop }: ServiceContext): LastUseWriter {
  const writer = new LastUseWriter(database, (err) =>
    logger.warn({ err }, 'could not record the last use of API keys'),
  );
  onStop('last use of API keys', () => writer.stop());
  return writer;
}

/** Without Redis, a logout reaches other processes only through the feed. */
const openRevokedSessions = (
  database: Database,
  feed: CredentialFeed,
  redis: RedisShards | null,
  shared: Shared,
): RevokedSessions => new RevokedSessions(database, feed, redis && shared && new RevokedTokens(redis, shared));

/** Authentication with API keys and access tokens, and the limits of unauthenticated callers. */
@Global()
@Module({
  imports: [CredentialsModule, LimitsModule, PlansModule],
  providers: [
    provider(ApiKeyDigests, openDigests, [SETTINGS]),
    provider(ApiKeyAuthenticator, openKeys, [AppLogger, Database, CredentialFeed, ApiKeyDigests, SHARED_CREDENTIALS]),
    provider(LastUseWriter, openLastUse, [Database, SERVICE]),
    provider(AccessTokens, openTokens, [SERVICE]),
    provider(RevokedSessions, openRevokedSessions, [Database, CredentialFeed, REDIS, SHARED_CREDENTIALS]),
    TokenAuthenticator,
    Authenticator,
    CallerAuthenticator,
  ],
  exports: [
    ApiKeyDigests,
    ApiKeyAuthenticator,
    AccessTokens,
    RevokedSessions,
    TokenAuthenticator,
    Authenticator,
    CallerAuthenticator,
  ],
})
export class AuthModule {}
