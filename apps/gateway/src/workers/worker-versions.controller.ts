import { Body, Controller, Get, Post } from '@nestjs/common';
import { workerSchemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { WorkerVersionsService } from './worker-versions.service.js';

/** Controller of the routes that drain all workers of a version. */
@ApiTags('workers')
@Controller('worker-versions')
export class WorkerVersionsController {
  constructor(private readonly versions: WorkerVersionsService) {}

  @Get()
  @Requires('read')
  @ResponseSchema(workerSchemas.workerVersions)
  list(@CurrentPrincipal() principal: Principal): Promise<workerSchemas.WorkerVersions> {
    return this.versions.list(principal);
  }

  @Post('drain')
  @Requires('operate')
  @ResponseSchema(workerSchemas.changedVersion)
  drain(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(workerSchemas.workerVersionBody)) { version }: workerSchemas.WorkerVersionBody,
  ): Promise<workerSchemas.ChangedVersion> {
    return this.versions.drain(principal, version);
  }

  @Post('resume')
  @Requires('operate')
  @ResponseSchema(workerSchemas.changedVersion)
  resume(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(workerSchemas.workerVersionBody)) { version }: workerSchemas.WorkerVersionBody,
  ): Promise<workerSchemas.ChangedVersion> {
    return this.versions.resume(principal, version);
  }
}
