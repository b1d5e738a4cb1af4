import { Body, Controller, Param, Post } from '@nestjs/common';
import { dependencySchemas as schemas } from '@spooled/contracts';
import { isUuid, notFound } from '@spooled/domain';
import { Commands, type Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags, idParam, ResponseSchema, validated } from '../http/routes.js';

/** Adds dependencies to existing jobs (SP-49). */
@ApiTags('jobs')
@Controller('jobs')
export class DependenciesController {
  constructor(private readonly commands: Commands) {}

  /** @throws SpooledError 404 for unknown ids, 409 unless the job is pending or scheduled */
  @Post(':id/dependencies')
  @Requires('operate')
  @ResponseSchema(schemas.addedDependencies)
  async add(
    @CurrentPrincipal() principal: Principal,
    @Param('id', idParam('Job')) jobId: string,
    @Body(validated(schemas.addDependenciesBody)) body: schemas.AddDependenciesBody,
  ): Promise<schemas.AddedDependencies> {
    const named = body.depends_on ?? body.depends_on_job_ids ?? body.dependency_job_ids ?? [];
    if (!named.every(isUuid)) throw notFound('Job');
    const dependsOn = [...new Set(named.map((id) => id.toLowerCase()))];
    const mode = body.dependency_mode ?? body.dependency_type ?? null;
    const { added, met } = await this.commands.run('job.addDependencies', principal, {
      jobId,
      dependsOn,
      mode,
      queues: principal.queues,
    });
    return {
      job_id: jobId,
      success: true,
      dependencies_added: added.length,
      added: added.length,
      added_count: added.length,
      dependencies_met: met,
      dependencies: added.map((parent) => ({ job_id: jobId, depends_on_job_id: parent, dependency_type: 'success' })),
    };
  }
}
