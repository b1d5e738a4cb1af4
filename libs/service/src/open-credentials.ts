import {
  ApiKeyAuthenticator,
  ApiKeyDigests,
  CredentialFeed,
  type Database,
  noPepper,
  noSharedCache,
} from '@spooled/data-access';
import { commaList, type ServiceContext, setting, type SettingsOf } from '@spooled/platform';
import { type RedisCredentialCache, type RedisShards, RevokedTokens } from '@spooled/transport';
import { z } from 'zod';
import { RevokedSessions } from './revoked-sessions.js';

const shortestPepper = 16;

/** How API keys are verified; the same for every process that makes or checks them. */
export const apiKeySettings = {
  API_KEY_PEPPER: setting(
    commaList(
      z.string().refine((pepper) => pepper === noPepper || pepper.length >= shortestPepper, {
        message: `each must have at least ${shortestPepper} characters, or be "${noPepper}"`,
      }),
    ).default([]),
    `Secrets in the hashes of API keys, of at least ${shortestPepper} characters: the first for new keys, the others are still accepted. "${noPepper}" or unset = without.`,
  ),
};

export const openDigests = ({
  settings,
}: Pick<ServiceContext<SettingsOf<typeof apiKeySettings>, never>, 'settings'>): ApiKeyDigests =>
  new ApiKeyDigests(settings.API_KEY_PEPPER);

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
  { logger }: Pick<Service, 'logger'>,
  database: Database,
  feed: CredentialFeed,
  digests: ApiKeyDigests,
  shared: RedisCredentialCache | null,
): ApiKeyAuthenticator =>
  new ApiKeyAuthenticator(database, feed, shared ?? noSharedCache, {
    digests,
    onProblem: (reason, api_key_id, err) => logger.warn({ api_key_id, reason, err }, 'an API key needs attention'),
  });

/** What knows which sessions have ended; without Redis a logout reaches other processes through the feed alone. */
export const openRevokedSessions = (
  database: Database,
  feed: CredentialFeed,
  redis: RedisShards | null,
  shared: RedisCredentialCache | null,
): RevokedSessions => new RevokedSessions(database, feed, redis && shared && new RevokedTokens(redis, shared));
