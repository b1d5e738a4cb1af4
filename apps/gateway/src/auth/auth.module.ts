import { Global, Module } from '@nestjs/common';
import { ApiKeyAuthenticator, ApiKeyDigests, CredentialFeed, Database, LastUseWriter } from '@spooled/data-access';
import { parsePlanOverrides } from '@spooled/domain';
import { SERVICE } from '@spooled/platform';
import {
  AccessTokens,
  openAuthenticator,
  openCredentialFeed,
  openDigests,
  openRevokedSessions,
  openTokens,
  RevokedSessions,
  TokenAuthenticator,
} from '@spooled/service';
import { PLAN_OVERRIDES } from '../gateway.config.js';
import type { GatewayService } from '../stores/open-stores.js';
import { REDIS, SHARED_CREDENTIALS } from '../stores/tokens.js';
import { AuthController } from './auth.controller.js';
import { Authenticator } from './authenticator.js';
import { CredentialChanges } from './credential-changes.js';
import { CredentialInvalidation } from './credential-invalidation.js';
import { RequestAdmission } from './request-admission.js';
import { RequestLimits } from './request-limits.js';
import { SessionsService } from './sessions.service.js';

function openLastUse(database: Database, service: GatewayService): LastUseWriter {
  const writer = new LastUseWriter(database, (error) =>
    service.logger.warn({ err: error }, 'could not record the last use of API keys'),
  );
  service.onStop('last use of API keys', () => writer.stop());
  return writer;
}

/** Who is asking. Its `RequestAdmission` decides before the body of every request is read. */
@Global()
@Module({
  controllers: [AuthController],
  providers: [
    { provide: PLAN_OVERRIDES, useFactory: () => parsePlanOverrides(process.env) },
    { provide: ApiKeyDigests, useFactory: (service: GatewayService) => openDigests(service), inject: [SERVICE] },
    { provide: CredentialFeed, useFactory: openCredentialFeed, inject: [SERVICE, Database] },
    {
      provide: ApiKeyAuthenticator,
      useFactory: openAuthenticator,
      inject: [SERVICE, Database, CredentialFeed, ApiKeyDigests, SHARED_CREDENTIALS],
    },
    { provide: LastUseWriter, useFactory: openLastUse, inject: [Database, SERVICE] },
    { provide: AccessTokens, useFactory: (service: GatewayService) => openTokens(service), inject: [SERVICE] },
    {
      provide: RevokedSessions,
      useFactory: openRevokedSessions,
      inject: [Database, CredentialFeed, REDIS, SHARED_CREDENTIALS],
    },
    {
      provide: TokenAuthenticator,
      useFactory: (tokens: AccessTokens, keys: ApiKeyAuthenticator, revoked: RevokedSessions) =>
        new TokenAuthenticator(tokens, keys, revoked),
      inject: [AccessTokens, ApiKeyAuthenticator, RevokedSessions],
    },
    Authenticator,
    CredentialInvalidation,
    RequestLimits,
    CredentialChanges,
    SessionsService,
    RequestAdmission,
  ],
  exports: [
    PLAN_OVERRIDES,
    ApiKeyAuthenticator,
    ApiKeyDigests,
    Authenticator,
    CredentialInvalidation,
    RequestLimits,
    CredentialChanges,
  ],
})
export class AuthModule {}
