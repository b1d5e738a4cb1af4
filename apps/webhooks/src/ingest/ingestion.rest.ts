import { Controller, HttpCode, Inject, Param, Post, Req, Res } from '@nestjs/common';
import type { ingestionSchemas } from '@spooled/contracts';
import { Database, findJobStatus } from '@spooled/data-access';
import { badRequest } from '@spooled/domain';
import { SETTINGS } from '@spooled/platform';
import type { RateLimitResult } from '@spooled/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isProduction, type WebhooksSettings } from '../webhooks.config.js';
import { headerOf, type Headers } from './incoming-job.js';
import { IngestionService, type Accepted, type Source } from './ingestion.service.js';

/** Where other systems post their webhooks (SP-52). The organization stands in the path; the body proves the sender. */
@Controller('api/v1/webhooks/:organizationId')
export class IngestionController {
  constructor(
    private readonly ingestion: IngestionService,
    private readonly db: Database,
    @Inject(SETTINGS) private readonly settings: WebhooksSettings,
  ) {}

  @Post('custom')
  @HttpCode(200)
  async custom(
    @Param('organizationId') organizationId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ingestionSchemas.CustomWebhookResult> {
    const { jobId, queueName, created } = await this.accept('custom', organizationId, request, reply);
    const status = created ? 'pending' : await this.db.withTenant(organizationId, (tx) => findJobStatus(tx, jobId));
    return { job_id: jobId, queue_name: queueName, status: status ?? 'pending', created };
  }

  @Post('github')
  @HttpCode(200)
  async github(
    @Param('organizationId') organizationId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.accept('github', organizationId, request, reply);
  }

  @Post('stripe')
  @HttpCode(200)
  async stripe(
    @Param('organizationId') organizationId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.accept('stripe', organizationId, request, reply);
  }

  private accept(
    source: Source,
    organizationId: string,
    { headers, body }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Accepted> {
    if (isProduction(this.settings) && !cameByHttps(headers)) throw badRequest('Webhooks must be sent over HTTPS');
    const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    return this.ingestion.accept({ source, organizationId, headers, rawBody }, (rate) => tellRate(reply, rate));
  }
}

/** As the first proxy of the way saw it; where several stand in line, each adds what it saw. */
const cameByHttps = (headers: Headers): boolean =>
  headerOf(headers, 'x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase() === 'https';

function tellRate(reply: FastifyReply, { limit, remaining, resetAtUnix }: RateLimitResult): void {
  void reply.headers({
    'x-ratelimit-limit': limit,
    'x-ratelimit-remaining': remaining,
    'x-ratelimit-reset': resetAtUnix,
  });
}
