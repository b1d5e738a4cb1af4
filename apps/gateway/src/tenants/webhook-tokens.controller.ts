import { Controller, Get, Post, Req } from '@nestjs/common';
import { organizationSchemas as schemas } from '@spooled/contracts';
import type { FastifyRequest } from 'fastify';
import { Requires, Unscoped } from '../auth/access.decorators.js';
import type { Principal } from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { OwnOrganization } from './own-organization.js';
import { WebhookTokensService } from './webhook-tokens.service.js';

const originOf = ({ protocol, host }: FastifyRequest): string => `${protocol}://${host}`;

/** Controller of the webhook token routes. The second path of each route is used by older SDKs. */
@ApiTags('organizations')
@Unscoped()
@Requires('administer')
@Controller('organizations')
export class WebhookTokensController {
  constructor(private readonly tokens: WebhookTokensService) {}

  @Get(['webhook-token', ':id/webhook-token'])
  @ResponseSchema(schemas.webhookToken)
  get(@OwnOrganization() { organizationId }: Principal, @Req() request: FastifyRequest): Promise<schemas.WebhookToken> {
    return this.tokens.get(organizationId, originOf(request));
  }

  @Post(['webhook-token/regenerate', ':id/webhook-token/regenerate'])
  @ResponseSchema(schemas.webhookToken)
  regenerate(
    @OwnOrganization() { organizationId }: Principal,
    @Req() request: FastifyRequest,
  ): Promise<schemas.WebhookToken> {
    return this.tokens.regenerate(organizationId, originOf(request));
  }

  @Post(['webhook-token/clear', ':id/webhook-token/clear'])
  @ResponseSchema(null, 204)
  async clear(@OwnOrganization() { organizationId }: Principal): Promise<void> {
    await this.tokens.clear(organizationId);
  }
}
