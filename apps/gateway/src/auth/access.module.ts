import { Global, Module } from '@nestjs/common';
import { AuthModule } from '@spooled/service';
import { AuthController } from './auth.controller.js';
import { CredentialChanges } from './credential-changes.js';
import { CredentialInvalidation } from './credential-invalidation.js';
import { LoginAttempts } from './login-attempts.js';
import { RequestAdmission } from './request-admission.js';
import { RequestLimits } from './request-limits.js';
import { SessionsService } from './sessions.service.js';

/** Authenticates, rate-limits and authorizes every request: `RequestAdmission` decides before a body is read. */
@Global()
@Module({
  imports: [AuthModule],
  controllers: [AuthController],
  providers: [
    CredentialInvalidation,
    RequestLimits,
    LoginAttempts,
    CredentialChanges,
    SessionsService,
    RequestAdmission,
  ],
  exports: [CredentialInvalidation, RequestLimits, LoginAttempts, CredentialChanges],
})
export class AccessModule {}
