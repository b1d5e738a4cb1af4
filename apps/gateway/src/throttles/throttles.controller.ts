import { Body, Controller, Delete, Get, HttpCode, Param, Post, Res } from '@nestjs/common';
import { throttleSchemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import type { FastifyReply } from 'fastify';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { idParam } from '../http/path-params.js';
import { AdditionalResponse, ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { ThrottlesService } from './throttles.service.js';

/** Controller of throttles: limits of new jobs. */
@ApiTags('throttles')
@Controller('throttles')
export class ThrottlesController {
  constructor(private readonly throttles: ThrottlesService) {}

  @Get()
  @Requires('read')
  @ResponseSchema(throttleSchemas.throttleList)
  list(@CurrentPrincipal() principal: Principal): Promise<throttleSchemas.ThrottleList> {
    return this.throttles.list(principal);
  }

  @Post()
  @Requires('operate')
  @ResponseSchema(throttleSchemas.throttle, 201)
  @AdditionalResponse(throttleSchemas.throttlePreview, 200, 'Dry run')
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(throttleSchemas.throttleBody)) body: throttleSchemas.ThrottleBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<throttleSchemas.Throttle | throttleSchemas.ThrottlePreview> {
    if (!body.dry_run) return this.throttles.create(principal, body);
    void reply.status(200);
    return this.throttles.preview(principal, body);
  }

  @Delete(':id')
  @Requires('operate')
  @HttpCode(204)
  async release(@CurrentPrincipal() principal: Principal, @Param('id', idParam('Throttle')) id: string): Promise<void> {
    await this.throttles.release(principal, id);
  }
}
