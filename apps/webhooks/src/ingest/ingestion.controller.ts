import { Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { ingestionSchemas } from '@spooled/contracts';
import { Database, findJobStatus } from '@spooled/data-access';
import { endSignal, rateHeaders, reportCharge } from '@spooled/service';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ingests } from './ingesting-route.js';
import { IngestionService, type Accepted } from './ingestion.service.js';

/**
 * Receives webhooks of other systems (SP-52). The path contains the organization; signatures or tokens authenticate the
 * sender.
 */
@Controller('api/v1/webhooks/:organizationId')
export class IngestionController {
  constructor(
    private readonly ingestion: IngestionService,
    private readonly db: Database,
  ) {}

  @Post('custom')
  @RouteConfig(ingests('custom'))
  @HttpCode(200)
  async custom(
    @Param('organizationId') organizationId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ingestionSchemas.CustomWebhookResult> {
    const { jobId, queueName, created } = await this.accept(request, reply);
    const find = { id: jobId };
    const known = created ? null : await this.db.withTenant(organizationId, (tx) => tx.first(findJobStatus, find));
    return { job_id: jobId, queue_name: queueName, status: known?.status ?? 'pending', created };
  }

  @Post('github')
  @RouteConfig(ingests('github'))
  @HttpCode(200)
  async github(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.accept(request, reply);
  }

  @Post('stripe')
  @RouteConfig(ingests('stripe'))
  @HttpCode(200)
  async stripe(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.accept(request, reply);
  }

  @Post('standard')
  @RouteConfig(ingests('standard'))
  @HttpCode(200)
  async standard(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<void> {
    await this.accept(request, reply);
  }

  private accept({ admitted, body }: FastifyRequest, reply: FastifyReply): Promise<Accepted> {
    if (!admitted) throw new Error('the admission hook of this route did not run');
    const rawBody = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    return this.ingestion.accept(admitted, rawBody, {
      onRate: (rate) => void reply.headers(rateHeaders(rate)),
      onCharge: (rate, tokens) => reportCharge(reply, rate, tokens),
      ended: () => endSignal(reply),
    });
  }
}
