import { Global, Module } from '@nestjs/common';
import type { ProductMetrics } from '@spooled/contracts';
import { CredentialFeed, Database } from '@spooled/data-access';
import { AppLogger, METRICS, type Metrics } from '@spooled/platform';
import type { RedisCredentialCache } from '@spooled/transport';
import { CredentialsModule } from '../auth/credentials.module.js';
import { provider } from '../provider.js';
import { SHARED_CREDENTIALS } from '../tokens.js';
import { CheckPool } from './check-pool.js';
import { PayloadContracts } from './payload-contracts.js';

const openContracts = (
  database: Database,
  feed: CredentialFeed,
  notices: RedisCredentialCache | null,
  metrics: Metrics<ProductMetrics>,
  logger: AppLogger,
  pool: CheckPool,
): PayloadContracts => new PayloadContracts(database, { feed, notices }, metrics, logger, pool);

/** Checks of payloads in services that accept jobs. */
@Global()
@Module({
  imports: [CredentialsModule],
  providers: [
    provider(PayloadContracts, openContracts, [
      Database,
      CredentialFeed,
      SHARED_CREDENTIALS,
      METRICS,
      AppLogger,
      CheckPool,
    ]),
    CheckPool,
  ],
  exports: [PayloadContracts, CheckPool],
})
export class PayloadContractsModule {}
