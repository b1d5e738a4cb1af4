import { Injectable } from '@nestjs/common';
import type { CommandResult, dependencySchemas } from '@spooled/contracts';
import { isUuid, notFound } from '@spooled/domain';
import { Commands, type Principal } from '@spooled/service';

/** Adds dependencies to existing jobs (SP-49). */
@Injectable()
export class DependenciesService {
  constructor(private readonly commands: Commands) {}

  /** @throws SpooledError 404 for unknown ids, 409 unless the job is pending or scheduled */
  add(
    principal: Principal,
    jobId: string,
    body: dependencySchemas.AddDependenciesBody,
  ): Promise<CommandResult<'job.addDependencies'>> {
    const named = body.depends_on ?? body.depends_on_job_ids ?? body.dependency_job_ids ?? [];
    if (!named.every(isUuid)) throw notFound('Job');
    const dependsOn = [...new Set(named.map((id) => id.toLowerCase()))];
    const mode = body.dependency_mode ?? body.dependency_type ?? null;
    return this.commands.run('job.addDependencies', principal, { jobId, dependsOn, mode, queues: principal.queues });
  }
}
