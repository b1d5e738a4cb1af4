import { Body, Controller, Get, Param, Post, Query, Res } from '@nestjs/common';
import { organizationSchemas as schemas } from '@spooled/contracts';
import { Database, findNamesInUse } from '@spooled/data-access';
import { numberedSlug, slugFrom, slugProblem } from '@spooled/domain';
import type { FastifyReply } from 'fastify';
import { LimitAddress, Public, Registration } from '../auth/access.decorators.js';
import { ApiTags, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { disconnectSignal } from '@spooled/service';
import { ConcurrencyLimit } from './concurrency-limit.js';
import { OrganizationsService } from './organizations.service.js';
import { toCreatedOrganizationResponse } from './tenant-responses.js';

/** Checking slugs reveals customers, so these routes have lower limits than other public routes. */
const LimitSlugChecks = () =>
  LimitAddress([
    { scope: 'check-slug:60', limit: 60, windowSeconds: 60 },
    { scope: 'check-slug:3600', limit: 300, windowSeconds: 3600 },
  ]);

/** Limits registrations, which need no credential, so that they do not delay other requests. */
const registrationLimits = { running: 4, waiting: 500 };

/** Number of variants of a used slug that one query checks. */
const variants = 20;

/** Controller of the registration routes, which need no credential. */
@ApiTags('organizations')
@Public()
@Controller('organizations')
export class RegistrationController {
  private readonly registrations = new ConcurrencyLimit('Registration', registrationLimits);

  constructor(
    private readonly organizations: OrganizationsService,
    private readonly database: Database,
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
  async checkSlug(@Query(validated(schemas.checkSlugQuery)) { slug }: { slug: string }): Promise<schemas.SlugCheck> {
    const problem = slugProblem(slug);
    if (problem) {
      const suggestion = await this.unusedSlug(slug);
      return { slug, available: false, valid: false, error: `Slug ${problem}`, suggestion };
    }
    const { slugs } = await findNamesInUse(this.database, [slug]);
    if (slugs.length === 0) return { slug, available: true, valid: true };
    const suggestion = await this.unusedSlug(slug);
    return { slug, available: false, valid: true, error: 'Slug is already in use', suggestion };
  }

  @Get('check-slug/:slug')
  @LimitSlugChecks()
  @ResponseSchema(schemas.slugCheck)
  checkSlugInPath(@Param('slug') slug: string): Promise<schemas.SlugCheck> {
    return this.checkSlug({ slug });
  }

  @Post('generate-slug')
  @LimitSlugChecks()
  @ResponseSchema(schemas.generatedSlug)
  async generateSlug(@Body(validated(schemas.generateSlugBody)) { name }: { name: string }): Promise<{ slug: string }> {
    return { slug: await this.unusedSlug(name) };
  }

  /** Generates an unused slug from any text. */
  private async unusedSlug(name: string): Promise<string> {
    const slug = slugFrom(name);
    const candidates = [slug, ...Array.from({ length: variants }, (_, i) => numberedSlug(slug, i + 2))];
    const taken = new Set((await findNamesInUse(this.database, candidates)).slugs);
    // If all variants are used, a random number from a wide range is almost certainly unused.
    return (
      candidates.find((one) => !taken.has(one)) ?? numberedSlug(slug, 1000 + Math.floor(Math.random() * 9_000_000))
    );
  }
}
