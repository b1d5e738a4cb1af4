import { Global, Module } from '@nestjs/common';
import { CredentialFeed, Database } from '@spooled/data-access';
import { RateLimits, type RedisCredentialCache } from '@spooled/transport';
import { CredentialsModule } from '../auth/credentials.module.js';
import { LimitsModule } from '../limits/limits.module.js';
import { provider } from '../provider.js';
import { SHARED_CREDENTIALS } from '../tokens.js';
import { Throttles } from './throttles.js';

const openThrottles = (
  database: Database,
  feed: CredentialFeed,
  notices: RedisCredentialCache | null,
  limiter: RateLimits,
): Throttles => new Throttles(database, { feed, notices }, limiter);

/** Limits of new jobs in services that accept them. */
@Global()
@Module({
  imports: [CredentialsModule, LimitsModule],
  providers: [provider(Throttles, openThrottles, [Database, CredentialFeed, SHARED_CREDENTIALS, RateLimits])],
  exports: [Throttles],
})
export class ThrottlesModule {}
