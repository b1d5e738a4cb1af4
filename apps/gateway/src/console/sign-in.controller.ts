import { Body, Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { consoleSchemas as schemas } from '@spooled/contracts';
import { accessDenied } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { consoleCookies, hasOwnOrigin } from '@spooled/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Login, Public } from '../auth/access.decorators.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, ResponseSchema, validatedIfPresent } from '../http/routes.js';
import { consoleCookie } from './console-cookie.js';
import { PeopleService, signInSeconds } from './people.service.js';

/** Controller of sign-ins at a provider of OpenID Connect, which end with POST /console/session. */
@ApiTags('console')
@Controller('console/sign-in')
export class SignInController {
  constructor(
    private readonly people: PeopleService,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** How people may sign in beside keys. */
  @Get()
  @Public()
  @ResponseSchema(schemas.signInOptions)
  options(): schemas.SignInOptions {
    return { provider: this.people.providerName };
  }

  /** Begins a sign-in: sets the cookie without which its end is refused, and names the provider's page. */
  @Post()
  @Login()
  @ResponseSchema(schemas.signInStart)
  async begin(
    @Body(validatedIfPresent(schemas.beginSignInBody)) { organization }: schemas.BeginSignInBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<schemas.SignInStart> {
    // Another site must not be able to sign its visitors in.
    if (!hasOwnOrigin(request, this.settings)) throw accessDenied('The request is from another origin');
    const { url, token } = await this.people.begin(organization);
    void reply.header('set-cookie', consoleCookie(request, consoleCookies.signIn, token, signInSeconds));
    return { url };
  }
}
