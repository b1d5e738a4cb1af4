import { Body, Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { consoleSchemas as schemas } from '@spooled/contracts';
import { accessDenied } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import { consoleCookies, hasOwnOrigin, type Principal, readConsoleCookie } from '@spooled/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConsoleAccess, CurrentPrincipal, Login, Requires } from '../auth/access.decorators.js';
import { LoginAttempts } from '../auth/login-attempts.js';
import { RequestLimits } from '../auth/request-limits.js';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, ResponseSchema, validated } from '../http/routes.js';
import { sessionOf } from './authenticate-console.js';
import { consoleCookie, noCookie } from './console-cookie.js';
import { codeSeconds, ConsoleSessions, loginSubject, sessionSeconds } from './console-sessions.service.js';

/** Controller of the sessions of the browser console, which holds no credential that a script could read. */
@ApiTags('console')
@Controller('console')
export class ConsoleController {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly limits: RequestLimits,
    private readonly attempts: LoginAttempts,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  /** Sets the cookie of a session that lasts twelve hours. */
  @Post('session')
  @Login()
  @ResponseSchema(schemas.session)
  async open(
    @Body(validated(schemas.openSessionBody)) body: schemas.OpenSessionBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<schemas.Session> {
    // Another site must not be able to sign its visitors in.
    if (!hasOwnOrigin(request, this.settings)) throw accessDenied('The request is from another origin');
    const subject = loginSubject(body);
    if (subject !== null) await this.limits.checkLogin(subject, reply);
    const credential = { apiKey: body.api_key, isAdminKey: body.admin_key !== undefined };
    const browser = readConsoleCookie(request, consoleCookies.login) ?? undefined;
    const signIn = readConsoleCookie(request, consoleCookies.signIn) ?? undefined;
    const open = () => this.sessions.open(body, { browser, signIn });
    const { token, session } = await this.attempts.run({ request, reply }, credential, open);
    const described = await this.sessions.describe(session);
    void reply.header('set-cookie', consoleCookie(request, consoleCookies.session, token, sessionSeconds));
    if (browser !== undefined) void reply.header('set-cookie', noCookie(request, consoleCookies.login));
    if (signIn !== undefined) void reply.header('set-cookie', noCookie(request, consoleCookies.signIn));
    return described;
  }

  @Get('session')
  @ConsoleAccess()
  @ResponseSchema(schemas.session)
  get(@Req() request: FastifyRequest): Promise<schemas.Session> {
    return this.sessions.describe(sessionOf(request));
  }

  @Delete('session')
  @ConsoleAccess()
  @ResponseSchema(null, 204)
  async end(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.sessions.end(sessionOf(request));
    void reply.header('set-cookie', noCookie(request, consoleCookies.session));
  }

  /** A link that signs a browser in once, with the role and the queues of the API key that asks for it. */
  @Post('login-links')
  @Requires('connect')
  @ResponseSchema(schemas.loginLink, 201)
  createLoginLink(@CurrentPrincipal() principal: Principal): Promise<schemas.LoginLink> {
    return this.sessions.createLoginLink(principal);
  }

  /** Whom a login link signs in. Only the browser that asked last may use the link, so that none is signed in unasked. */
  @Post('login-links/preview')
  @Login()
  @ResponseSchema(schemas.loginPreview)
  async previewLink(
    @Body(validated(schemas.previewLinkBody)) { code }: schemas.PreviewLinkBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<schemas.LoginPreview> {
    if (!hasOwnOrigin(request, this.settings)) throw accessDenied('The request is from another origin');
    const show = () => this.sessions.previewLink(code);
    const { browser, preview } = await this.attempts.run({ request, reply }, {}, show);
    void reply.header('set-cookie', consoleCookie(request, consoleCookies.login, browser, codeSeconds));
    return preview;
  }
}
