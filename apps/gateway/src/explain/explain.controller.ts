import { Controller, Get, Param, Query } from '@nestjs/common';
import { explainSchemas, replicaSchemas } from '@spooled/contracts';
import type { Page, Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { idParam, nameParam } from '../http/path-params.js';
import { ListResponse } from '../http/list-response.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { ExplainService } from './explain.service.js';

/** Controller of the routes that explain what jobs and queues wait for. */
@Controller()
export class ExplainController {
  constructor(private readonly explanations: ExplainService) {}

  @Get('jobs/:id/explain')
  @Requires('read_jobs')
  @ApiTags('jobs')
  @ResponseSchema(explainSchemas.jobExplanation)
  job(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
  ): Promise<explainSchemas.JobExplanation> {
    return this.explanations.job(principal, id);
  }

  @Get('queues/:name/explain')
  @Requires('read')
  @ApiTags('queues')
  @ResponseSchema(explainSchemas.queueExplanation)
  queue(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
  ): Promise<explainSchemas.QueueExplanation> {
    return this.explanations.queue(principal, name);
  }

  @Get('queues/:name/desired-replicas')
  @Requires('read')
  @ApiTags('queues')
  @ResponseSchema(replicaSchemas.desiredReplicas)
  replicas(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Query(validated(replicaSchemas.desiredReplicasQuery)) query: replicaSchemas.DesiredReplicasQuery,
  ): Promise<replicaSchemas.DesiredReplicas> {
    return this.explanations.replicas(principal, name, query);
  }

  @Get('queue-explanations')
  @Requires('read')
  @ApiTags('queues')
  @ListResponse(explainSchemas.explainedQueue)
  queues(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(explainSchemas.listExplanationsQuery)) query: explainSchemas.ListExplanationsQuery,
  ): Promise<Page<explainSchemas.ExplainedQueue>> {
    return this.explanations.queues(principal, query);
  }
}
