import { Body, Controller, Get, Post, Req, Res } from '@nestjs/common';
import { authSchemas as schemas } from '@spooled/contracts';
import type { Principal, TokenClaims } from '@spooled/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiTags, ResponseSchema, validated, validatedIfPresent } from '../http/routes.js';
import { CurrentPrincipal, CurrentSession, Login, Public, Requires } from './access.decorators.js';
import { LoginAttempts } from './login-attempts.js';
import { SessionsService } from './sessions.service.js';

/** Controller of the session routes. Browsers and streams use access tokens so that they need not hold an API key. */
@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly attempts: LoginAttempts,
  ) {}

  @Post('login')
  @Login()
  @ResponseSchema(schemas.loginGrant)
  login(
    @Body(validated(schemas.loginBody)) { api_key }: { api_key: string },
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<schemas.LoginGrant> {
    const login = () => this.sessions.login(api_key, reply);
    return this.attempts.run({ request, reply }, { apiKey: api_key }, login);
  }

  @Post('refresh')
  @Login()
  @ResponseSchema(schemas.accessGrant)
  refresh(
    @Body(validated(schemas.refreshBody)) { refresh_token }: { refresh_token: string },
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<schemas.AccessGrant> {
    return this.attempts.run({ request, reply }, {}, () => this.sessions.refresh(refresh_token));
  }

  @Post('logout')
  @Requires('connect')
  @ResponseSchema(null, 204)
  logout(
    @CurrentSession() session: TokenClaims,
    @Body(validatedIfPresent(schemas.logoutBody)) { refresh_token }: { refresh_token?: string | null },
  ): Promise<void> {
    return this.sessions.logout(session, refresh_token ?? null);
  }

  @Get('me')
  @Requires('connect')
  @ResponseSchema(schemas.me)
  me(@CurrentSession() session: TokenClaims, @CurrentPrincipal() principal: Principal): Promise<schemas.Me> {
    return this.sessions.me(session, principal);
  }

  @Post('validate')
  @Public()
  @ResponseSchema(schemas.tokenCheck)
  validate(@Body(validated(schemas.validateBody)) { token }: { token: string }): Promise<schemas.TokenCheck> {
    return this.sessions.validate(token);
  }
}
