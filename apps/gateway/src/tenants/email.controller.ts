import { Body, Controller, Get, Inject, Post, Query } from '@nestjs/common';
import { authSchemas as schemas, restConventions } from '@spooled/contracts';
import { Database, findNamesInUse } from '@spooled/data-access';
import { notImplemented } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { LimitAddress, Public } from '../auth/access.decorators.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, ResponseSchema, validated } from '../http/routes.js';

/** Checking addresses reveals customers, so these routes have lower limits than other public routes. */
const LimitEmailChecks = () =>
  LimitAddress([
    { scope: 'check-email:60', limit: 10, windowSeconds: 60 },
    { scope: 'check-email:3600', limit: 60, windowSeconds: 3600 },
  ]);

/** Controller of the routes that sign-up pages call with an e-mail address. */
@ApiTags('auth')
@Public()
@Controller('auth')
export class EmailController {
  constructor(
    private readonly database: Database,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  // The first path is the published route, the second is used by older SDKs.
  @Get(['check-email', 'email/check'])
  @LimitEmailChecks()
  @ResponseSchema(schemas.emailCheck)
  check(@Query(validated(schemas.emailBody)) { email }: schemas.EmailBody): Promise<schemas.EmailCheck> {
    return this.lookUp(email);
  }

  @Post('email/check')
  @LimitEmailChecks()
  @ResponseSchema(schemas.emailCheck)
  checkInBody(@Body(validated(schemas.emailBody)) { email }: schemas.EmailBody): Promise<schemas.EmailCheck> {
    return this.lookUp(email);
  }

  @Post('email/start')
  @LimitEmailChecks()
  @ResponseSchema(restConventions.errorBody, 501)
  start(@Body(validated(schemas.emailBody)) _: schemas.EmailBody): never {
    throw notImplemented('This server sends no e-mail; log in with an API key at POST /api/v1/auth/login');
  }

  /** While registration is closed, every address is reported as unavailable and unknown, so that registered addresses are not disclosed. */
  private async lookUp(email: string): Promise<schemas.EmailCheck> {
    const signup_enabled = this.settings.REGISTRATION_MODE === 'open';
    const exists = signup_enabled && (await findNamesInUse(this.database, [], email)).emailTaken;
    return { exists, available: signup_enabled && !exists, signup_enabled };
  }
}
