import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { organizationSchemas as schemas } from '@spooled/contracts';
import { LimitAddress, Public, Registration } from '../auth/access.decorators.js';
import { Answers } from '../http/answers.js';
import { checked } from '../http/checked.js';
import { OrganizationsService } from './organizations.service.js';
import { SlugsService } from './slugs.service.js';

/** Asking which slugs exist is a way to list customers, so it is slowed down further than other public routes. */
const LimitSlugChecks = () =>
  LimitAddress([
    { scope: 'check-slug:60', limit: 60, windowSeconds: 60 },
    { scope: 'check-slug:3600', limit: 300, windowSeconds: 3600 },
  ]);

/** How a new organization comes in; no credential is needed. */
@ApiTags('organizations')
@Public()
@Controller('organizations')
export class RegistrationController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly slugs: SlugsService,
  ) {}

  @Post()
  @Registration()
  @Answers(schemas.createdOrganization, 201)
  register(
    @Body(checked(schemas.createOrganizationBody)) body: schemas.CreateOrganizationBody,
  ): Promise<schemas.CreatedOrganization> {
    return this.organizations.register(body);
  }

  @Get('check-slug')
  @LimitSlugChecks()
  @Answers(schemas.slugCheck)
  checkSlug(@Query(checked(schemas.checkSlugQuery)) { slug }: { slug: string }): Promise<schemas.SlugCheck> {
    return this.slugs.check(slug);
  }

  @Get('check-slug/:slug')
  @LimitSlugChecks()
  @Answers(schemas.slugCheck)
  checkSlugInPath(@Param('slug') slug: string): Promise<schemas.SlugCheck> {
    return this.slugs.check(slug);
  }

  @Post('generate-slug')
  @LimitSlugChecks()
  @Answers(schemas.generatedSlug)
  async generateSlug(@Body(checked(schemas.generateSlugBody)) { name }: { name: string }): Promise<{ slug: string }> {
    return { slug: await this.slugs.generate(name) };
  }
}
