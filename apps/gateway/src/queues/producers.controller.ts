import { Controller, Get, Param, Query } from '@nestjs/common';
import { producerSchemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { nameParam } from '../http/path-params.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { ProducersService } from './producers.service.js';

/** Controller of the route that says who fills a queue. */
@ApiTags('queues')
@Controller('queues')
export class ProducersController {
  constructor(private readonly producers: ProducersService) {}

  @Get(':name/producers')
  @Requires('read')
  @ResponseSchema(producerSchemas.producers)
  find(
    @CurrentPrincipal() principal: Principal,
    @Param('name', nameParam('Queue')) name: string,
    @Query(validated(producerSchemas.producersQuery)) query: producerSchemas.ProducersQuery,
  ): Promise<producerSchemas.Producers> {
    return this.producers.find(principal, name, query);
  }
}
