import { Global, Module } from '@nestjs/common';
import { CredentialFeed, Database } from '@spooled/data-access';
import { AppLogger, SERVICE, type ServiceContext } from '@spooled/platform';
import { RedisCredentialCache, type RedisShards } from '@spooled/transport';
import { provider } from '../provider.js';
import { REDIS, SHARED_CREDENTIALS } from '../tokens.js';

/** Polls changes of credentials while the service runs. */
function openCredentialFeed({ logger, onStop }: ServiceContext, database: Database): CredentialFeed {
  const onError = (err: unknown) =>
    logger.warn({ err, dependency: 'PostgreSQL' }, 'changes of credentials cannot be read');
  const feed = new CredentialFeed(database, { onError }).start();
  onStop('changes of credentials', () => feed.stop());
  return feed;
}

const sharedCredentials = {
  provide: SHARED_CREDENTIALS,
  useFactory: (redis: RedisShards | null, logger: AppLogger) => redis && new RedisCredentialCache(redis, logger),
  inject: [REDIS, AppLogger],
};

/** Sends and receives notices of changed keys, sessions, organizations and settings. */
@Global()
@Module({
  providers: [sharedCredentials, provider(CredentialFeed, openCredentialFeed, [SERVICE, Database])],
  exports: [sharedCredentials, CredentialFeed],
})
export class CredentialsModule {}
