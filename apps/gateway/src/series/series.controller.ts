import { Controller, Get, Query } from '@nestjs/common';
import { seriesSchemas } from '@spooled/contracts';
import type { Principal } from '@spooled/service';
import { CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { SeriesService } from './series.service.js';

/** Controller of the route for rates and depths over time. */
@ApiTags('dashboard')
@Controller('series')
export class SeriesController {
  constructor(private readonly series: SeriesService) {}

  @Get()
  @Requires('read')
  @ResponseSchema(seriesSchemas.series)
  get(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(seriesSchemas.seriesQuery)) query: seriesSchemas.SeriesQuery,
  ): Promise<seriesSchemas.Series> {
    return this.series.get(principal, query);
  }

  @Get('marks')
  @Requires('read')
  @ResponseSchema(seriesSchemas.seriesMarks)
  marks(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(seriesSchemas.seriesMarksQuery)) query: seriesSchemas.SeriesMarksQuery,
  ): Promise<seriesSchemas.SeriesMarks> {
    return this.series.marks(principal, query);
  }

  @Get('queues')
  @Requires('read')
  @ResponseSchema(seriesSchemas.seriesMoment)
  at(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(seriesSchemas.seriesMomentQuery)) { at }: seriesSchemas.SeriesMomentQuery,
  ): Promise<seriesSchemas.SeriesMoment> {
    return this.series.at(principal, at);
  }
}
