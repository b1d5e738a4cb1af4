import { Body, Controller, Get, Headers, Inject, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { organizationSchemas as schemas } from '@spooled/contracts';
import { accessDenied } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/access.decorators.js';
import { isAdminKey } from '../auth/admin-key.js';
import { RequestLimits } from '../auth/request-limits.js';
import type { GatewaySettings } from '../gateway.config.js';
import { Answers } from '../http/answers.js';
import { checked } from '../http/checked.js';
import { OrganizationsService } from './organizations.service.js';
import { SlugsService } from './slugs.service.js';

/** Asking which slugs exist is a way to list customers, so it is slowed down further than other public routes. */
const slugCheckWindows = [
  { limit: 60, windowSeconds: 60 },
  { limit: 300, windowSeconds: 3600 },
];

/** How a new organization comes in; no credential is needed. */
@ApiTags('organizations')
@Public()
@Controller('organizations')
export class RegistrationController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly slugs: SlugsService,
    private readonly limits: RequestLimits,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  @Post()
  @Answers(schemas.createdOrganization, 201)
  register(
    @Body(checked(schemas.createOrganizationBody)) body: schemas.CreateOrganizationBody,
    @Headers('x-admin-key') adminKey: string | undefined,
  ): Promise<schemas.CreatedOrganization> {
    const isOpen = this.settings.REGISTRATION_MODE === 'open';
    if (!isOpen && !isAdminKey(adminKey, this.settings.ADMIN_API_KEY)) throw accessDenied('Registration is closed');
    return this.organizations.register(body);
  }

  @Get('check-slug')
  @Answers(schemas.slugCheck)
  async checkSlug(
    @Query(checked(schemas.checkSlugQuery)) { slug }: { slug: string },
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<schemas.SlugCheck> {
    await this.limits.checkAddressWindows(request, reply, 'check-slug', slugCheckWindows);
    return this.slugs.check(slug);
  }

  @Get('check-slug/:slug')
  @Answers(schemas.slugCheck)
  checkSlugInPath(
    @Param('slug') slug: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<schemas.SlugCheck> {
    return this.checkSlug({ slug }, request, reply);
  }

  @Post('generate-slug')
  @Answers(schemas.generatedSlug)
  async generateSlug(@Body(checked(schemas.generateSlugBody)) { name }: { name: string }): Promise<{ slug: string }> {
    return { slug: await this.slugs.generate(name) };
  }
}
