import { Body, Controller, Get, Post } from '@nestjs/common';
import { workerSchemas } from '@spooled/contracts';
import { Database, findWorkersOfVersion, listWorkerVersions, readClock } from '@spooled/data-access';
import { notFound, SpooledError } from '@spooled/domain';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags, ResponseSchema, validated } from '../http/routes.js';
import { WorkersService } from './workers.service.js';

/** Workers that one request changes at most, and how many of them at once. */
const [maxWorkers, atOnce] = [1_000, 20];

/** Versions of registered workers. A drain holds for the workers that are registered now, and not for later ones of the version. */
@ApiTags('workers')
@Controller('worker-versions')
export class WorkerVersionsController {
  constructor(
    private readonly database: Database,
    private readonly workers: WorkersService,
  ) {}

  @Get()
  @Requires('read')
  @ResponseSchema(workerSchemas.workerVersions)
  async list(@CurrentPrincipal() { organizationId, queues }: Principal): Promise<workerSchemas.WorkerVersions> {
    const { rows, now } = await this.database.withTenant(organizationId, async (tx) => {
      const [rows, now] = await Promise.all([listWorkerVersions(tx, queues), readClock(tx)]);
      return { rows, now };
    });
    return {
      versions: rows.map(({ is_cut: _, now: __, ...version }) => version),
      not_checked: rows[0]?.is_cut ? ['Only 10,000 workers and running jobs were looked at'] : [],
      checked_at: now,
    };
  }

  /** Tells the workers of a version to drain, unless they were told already. @throws SpooledError 404 when there are none */
  @Post('drain')
  @Requires('operate')
  @ResponseSchema(workerSchemas.changedVersion)
  drain(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(workerSchemas.workerVersionBody)) { version }: workerSchemas.WorkerVersionBody,
  ): Promise<workerSchemas.ChangedVersion> {
    return this.change(principal, version, false, (id) => this.workers.tellToDrain(principal, id));
  }

  /** Ends the drain of the workers of a version. @throws SpooledError 404 when none is drained, 429 when the plan's limit is reached */
  @Post('resume')
  @Requires('operate')
  @ResponseSchema(workerSchemas.changedVersion)
  resume(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(workerSchemas.workerVersionBody)) { version }: workerSchemas.WorkerVersionBody,
  ): Promise<workerSchemas.ChangedVersion> {
    return this.change(principal, version, true, (id) => this.workers.endDrain(principal, id));
  }

  private async change(
    { organizationId, queues }: Principal,
    version: string | null,
    drained: boolean,
    act: (id: string) => Promise<unknown>,
  ): Promise<workerSchemas.ChangedVersion> {
    const filter = { version, drained, queues, limit: maxWorkers + 1 };
    const found = await this.database.withTenant(organizationId, (tx) => findWorkersOfVersion(tx, filter));
    if (found.length === 0) throw notFound(drained ? 'Drained worker of this version' : 'Worker of this version');
    const ids = found.slice(0, maxWorkers);
    let workers = 0;
    try {
      for (let first = 0; first < ids.length; first += atOnce) {
        const changed = await Promise.all(ids.slice(first, first + atOnce).map((id) => wasPresent(act(id))));
        workers += changed.filter(Boolean).length;
      }
    } finally {
      await this.workers.drainsChanged();
    }
    return { version, workers, more: found.length > maxWorkers };
  }
}

/** False: the worker has gone in the meantime. */
async function wasPresent(act: Promise<unknown>): Promise<boolean> {
  try {
    await act;
    return true;
  } catch (error) {
    if (error instanceof SpooledError && ['NOT_FOUND', 'CONFLICT'].includes(error.code)) return false;
    throw error;
  }
}
