import { Body, Controller, Param, Post } from '@nestjs/common';
import { dependencySchemas as schemas } from '@spooled/contracts';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import type { Principal } from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { idParam } from '../http/path-params.js';
import { DependenciesService } from './dependencies.service.js';

/** Controller of the route that adds dependencies to an existing job. */
@ApiTags('jobs')
@Controller('jobs')
export class DependenciesController {
  constructor(private readonly dependencies: DependenciesService) {}

  @Post(':id/dependencies')
  @Requires('operate')
  @ResponseSchema(schemas.addedDependencies)
  async add(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) id: string,
    @Body(validated(schemas.addDependenciesBody)) body: schemas.AddDependenciesBody,
  ): Promise<schemas.AddedDependencies> {
    const { added, met } = await this.dependencies.add(principal, id, body);
    return {
      job_id: id,
      success: true,
      dependencies_added: added.length,
      added: added.length,
      added_count: added.length,
      dependencies_met: met,
      dependencies: added.map((parent) => ({ job_id: id, depends_on_job_id: parent, dependency_type: 'success' })),
    };
  }
}
