import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { organizationSchemas as schemas } from '@spooled/contracts';
import type { FastifyReply } from 'fastify';
import { LimitAddress, Public, Registration } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { disconnectSignal } from '@spooled/service';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { OrganizationsService } from './organizations.service.js';
import { toCreatedOrganizationResponse } from './tenant-responses.js';
import { SlugsService } from './slugs.service.js';

/** Checking slugs reveals customers, so these routes have lower limits than other public routes. */
const LimitSlugChecks = () =>
  LimitAddress([
    { scope: 'check-slug:60', limit: 60, windowSeconds: 60 },
    { scope: 'check-slug:3600', limit: 300, windowSeconds: 3600 },
  ]);

/** Limits registrations, which need no credential, so that they do not delay other requests. */
const registrationLimits = { running: 4, waiting: 500 };

/** Controller of the registration routes, which need no credential. */
@ApiTags('organizations')
@Public()
@Controller('organizations')
export class RegistrationController {
  private readonly registrations = new ConcurrencyLimit('Registration', registrationLimits);

  constructor(
    private readonly organizations: OrganizationsService,
    private readonly slugs: SlugsService,
  ) {}

  @Post()
  @Registration()
  @TextResponse(schemas.createdOrganization, 201)
  async register(
    @Body(validated(schemas.createOrganizationBody)) body: schemas.CreateOrganizationBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const created = await this.registrations.run(() => this.organizations.register(body), disconnectSignal(reply));
    return toCreatedOrganizationResponse(created, { repeated: false });
  }

  @Get('check-slug')
  @LimitSlugChecks()
  @ResponseSchema(schemas.slugCheck)
  checkSlug(@Query(validated(schemas.checkSlugQuery)) { slug }: { slug: string }): Promise<schemas.SlugCheck> {
    return this.slugs.check(slug);
  }

  @Get('check-slug/:slug')
  @LimitSlugChecks()
  @ResponseSchema(schemas.slugCheck)
  checkSlugInPath(@Param('slug') slug: string): Promise<schemas.SlugCheck> {
    return this.slugs.check(slug);
  }

  @Post('generate-slug')
  @LimitSlugChecks()
  @ResponseSchema(schemas.generatedSlug)
  async generateSlug(@Body(validated(schemas.generateSlugBody)) { name }: { name: string }): Promise<{ slug: string }> {
    return { slug: await this.slugs.generate(name) };
  }
}
