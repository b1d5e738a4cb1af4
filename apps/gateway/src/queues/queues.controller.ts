import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { queueSchemas, rawJson } from '@spooled/contracts';
import type { QueueRow } from '@spooled/data-access';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import type { Page, Principal } from '@spooled/service';
import {
  ApiTags,
  ListResponse,
  nameParam,
  ResponseSchema,
  TextResponse,
  validated,
  validatedIfPresent,
} from '../http/routes.js';
import { QueuesService } from './queues.service.js';

/** Controller of the queue routes. */
@ApiTags('queues')
@Controller('queues')
export class QueuesController {
  constructor(private readonly queues: QueuesService) {}

  @Get()
  @Requires('read')
  @ListResponse(queueSchemas.queueSummary)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(queueSchemas.listQueuesQuery)) query: queueSchemas.ListQueuesQuery,
  ): Promise<Page<queueSchemas.QueueSummary>> {
    return this.queues.list(principal, query);
  }

  @Get(':name')
  @Requires('read')
  @TextResponse(queueSchemas.queueDetail)
  async get(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
  ): Promise<string> {
    const queue = await this.queues.get(principal, name);
    const [pause, receiver] = await Promise.all([
      this.queues.pauseOf(principal, queue),
      this.queues.receiverOf(principal, queue),
    ]);
    return toQueueResponse({ ...queue, pause, receiver });
  }

  // The first path is the published route, the second is used by older Go clients.
  @Put([':name/config', ':name'])
  @Requires('operate')
  @TextResponse(queueSchemas.queueConfig)
  async configure(
    @CurrentPrincipal() principal: Principal,
    @Param('name') name: string,
    @Body(validated(queueSchemas.queueConfigBody)) body: queueSchemas.QueueConfigBody,
  ): Promise<string> {
    return toQueueResponse(await this.queues.configure(principal, name, body));
  }

  @Get(':name/stats')
  @Requires('read')
  @ResponseSchema(queueSchemas.queueStats)
  stats(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
  ): Promise<queueSchemas.QueueStats> {
    return this.queues.stats(principal, name);
  }

  @Post(':name/pause')
  @Requires('operate')
  @ResponseSchema(queueSchemas.pausedQueue)
  async pause(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Body(validatedIfPresent(queueSchemas.pauseQueueBody)) body: queueSchemas.PauseQueueBody,
  ) {
    const { pausedAt, expiresAt } = await this.queues.pause(principal, name, body);
    return {
      queue_name: name,
      paused: true,
      paused_at: pausedAt,
      reason: body.reason ?? null,
      expires_at: expiresAt,
    };
  }

  @Post(':name/resume')
  @Requires('operate')
  @ResponseSchema(queueSchemas.resumedQueue)
  async resume(@CurrentPrincipal() principal: Principal, @Param('name', nameParam('Queue')) name: string) {
    const { pausedSeconds } = await this.queues.resume(principal, name);
    return { queue_name: name, resumed: true, paused_duration_secs: pausedSeconds };
  }

  @Delete(':name')
  @Requires('operate')
  @ResponseSchema(null, 204)
  remove(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Query(validated(queueSchemas.deleteQueueQuery)) { delete_jobs: deleteJobs }: queueSchemas.DeleteQueueQuery,
  ): Promise<void> {
    return this.queues.remove(principal, name, deleteJobs ?? false);
  }
}

/** A queue as JSON text; its settings are copied as stored, without parsing. */
const toQueueResponse = ({
  settings,
  ...queue
}: QueueRow & Partial<Pick<queueSchemas.QueueDetail, 'pause' | 'receiver'>>): string => rawJson(queue, { settings });
