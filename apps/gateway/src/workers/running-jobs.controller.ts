import { Controller, Get, Query } from '@nestjs/common';
import { jobSchemas, workerSchemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags, ResponseSchema, validated } from '../http/routes.js';
import { WorkersService } from './workers.service.js';

/** Controller of the route that lists what workers do now. */
@ApiTags('jobs')
@Controller('jobs')
export class RunningJobsController {
  constructor(private readonly workers: WorkersService) {}

  @Get('running')
  @Requires('read_jobs')
  @ResponseSchema(workerSchemas.runningJobs)
  running(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(jobSchemas.runningJobsQuery)) query: jobSchemas.RunningJobsQuery,
  ): Promise<workerSchemas.RunningJobs> {
    return this.workers.running(principal, query);
  }
}
