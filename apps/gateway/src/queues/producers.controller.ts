import { Controller, Get, Param, Query } from '@nestjs/common';
import { parseActor, producerSchemas } from '@spooled/contracts';
import { Database, sampleProducers } from '@spooled/data-access';
import { notFound } from '@spooled/domain';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { requireQueue } from '../auth/queue-scope.js';
import { ApiTags, nameParam, ResponseSchema, validated } from '../http/routes.js';

const presetMinutes = 10;

/** Who fills a queue (BX-25), from a bounded sample of its newest jobs. */
@ApiTags('queues')
@Controller('queues')
export class ProducersController {
  constructor(private readonly database: Database) {}

  /** @throws SpooledError 403 scope, 404 */
  @Get(':name/producers')
  @Requires('read')
  @ResponseSchema(producerSchemas.producers)
  async find(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) queueName: string,
    @Query(validated(producerSchemas.producersQuery)) { minutes = presetMinutes }: producerSchemas.ProducersQuery,
  ): Promise<producerSchemas.Producers> {
    requireQueue(principal, queueName);
    const sample = await this.database.withTenant(principal.organizationId, (tx) =>
      sampleProducers(tx, queueName, minutes),
    );
    if (!sample) throw notFound('Queue');
    const { jobs, since, until } = sample;
    const seconds = (Date.parse(until) - Date.parse(since)) / 1_000;
    const part = (count: number) => ({ jobs: count, share: count / jobs });
    return {
      queue_name: queueName,
      from: since,
      to: until,
      jobs,
      is_cut: sample.isCut,
      per_second: seconds > 0 ? Math.round((jobs / seconds) * 1_000) / 1_000 : 0,
      by_actor: sample.creators.map(({ name, jobs }) => ({ actor: parseActor(name), ...part(jobs) })),
      by_job_type: sample.types.map(({ name, jobs }) => ({ job_type: name || null, ...part(jobs) })),
      by_tag: sample.tags.map(({ name, jobs }) => ({ tag: name, ...part(jobs) })),
    };
  }
}
