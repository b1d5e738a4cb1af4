import { Body, Controller, Delete, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { rawJson, workerSchemas } from '@spooled/contracts';
import type { WorkerRow } from '@spooled/data-access';
import { SETTINGS } from '@spooled/platform';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import type { Page, Principal } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { ApiTags, ListResponse, nameParam, ResponseSchema, TextResponse, validated } from '../http/routes.js';
import { WorkersService } from './workers.service.js';

/** Controller of the worker registration routes. */
@ApiTags('workers')
@Controller('workers')
export class WorkersController {
  constructor(
    private readonly workers: WorkersService,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
  ) {}

  @Post('register')
  @Requires('work')
  @ResponseSchema(workerSchemas.registeredWorker, 201)
  async register(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(workerSchemas.registerWorkerBody)) body: workerSchemas.RegisterWorkerBody,
  ) {
    return {
      id: await this.workers.register(principal, body),
      queue_name: body.queue_name,
      lease_duration_secs: this.settings.WORKER_LEASE_DURATION_SECS,
      heartbeat_interval_secs: this.settings.WORKER_HEARTBEAT_INTERVAL_SECS,
    };
  }

  @Get()
  @Requires('read')
  @ListResponse(workerSchemas.workerSummary)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(workerSchemas.listWorkersQuery)) query: workerSchemas.ListWorkersQuery,
  ): Promise<Page<workerSchemas.WorkerSummary>> {
    return this.workers.list(principal, query);
  }

  @Get(':id')
  @Requires('read')
  @TextResponse(workerSchemas.worker)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', nameParam('Worker')) id: string): Promise<string> {
    return toWorkerResponse(await this.workers.get(principal, id));
  }

  @Post(':id/heartbeat')
  @Requires('work')
  @ResponseSchema(workerSchemas.heartbeatAnswer)
  async heartbeat(
    @CurrentPrincipal() principal: Principal,
    @Param('id', nameParam('Worker')) id: string,
    @Body(validated(workerSchemas.workerHeartbeatBody)) body: workerSchemas.WorkerHeartbeatBody,
  ): Promise<workerSchemas.HeartbeatAnswer> {
    const status = await this.workers.heartbeat(principal, id, body);
    return { status: status as workerSchemas.HeartbeatAnswer['status'], should_drain: status === 'draining' };
  }

  @Get(':id/jobs')
  @Requires('read')
  @ResponseSchema(workerSchemas.jobsInHand)
  jobs(
    @CurrentPrincipal() principal: Principal,
    @Param('id', nameParam('Worker')) id: string,
  ): Promise<workerSchemas.JobsInHand> {
    return this.workers.jobsInHand(principal, id);
  }

  @Post(':id/drain')
  @Requires('operate')
  @ResponseSchema(workerSchemas.drainedWorker)
  async drain(@CurrentPrincipal() principal: Principal, @Param('id', nameParam('Worker')) id: string) {
    await this.workers.drain(principal, id);
    return { id, status: 'draining' };
  }

  @Post(':id/resume')
  @Requires('operate')
  @ResponseSchema(workerSchemas.drainedWorker)
  async resume(@CurrentPrincipal() principal: Principal, @Param('id', nameParam('Worker')) id: string) {
    return { id, status: await this.workers.resume(principal, id) };
  }

  @Post(':id/deregister')
  @Requires('work')
  @ResponseSchema(null, 204)
  deregister(@CurrentPrincipal() principal: Principal, @Param('id', nameParam('Worker')) id: string): Promise<void> {
    return this.workers.deregister(principal, id);
  }

  /** The deregistration route of older Go clients. */
  @Delete(':id')
  @Requires('work')
  @ResponseSchema(null, 204)
  remove(@CurrentPrincipal() principal: Principal, @Param('id', nameParam('Worker')) id: string): Promise<void> {
    return this.workers.deregister(principal, id);
  }
}

/** A worker as JSON text; its metadata is copied as stored, without parsing. */
const toWorkerResponse = ({ metadata, ...worker }: WorkerRow): string =>
  rawJson(
    {
      ...worker,
      queue_names: [worker.queue_name],
      max_concurrent_jobs: worker.max_concurrency,
      current_job_count: worker.current_jobs,
      created_at: worker.registered_at,
    } satisfies Omit<workerSchemas.Worker, 'metadata'>,
    { metadata },
  );
