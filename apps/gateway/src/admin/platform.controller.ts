import { Controller, Get, Query } from '@nestjs/common';
import { adminSchemas as schemas } from '@spooled/contracts';
import { Admin } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ResponseSchema } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { PlatformService } from './platform.service.js';

/** Controller of the routes about services, load and capacity. */
@ApiTags('admin')
@Admin()
@Controller('admin')
export class PlatformController {
  constructor(private readonly platform: PlatformService) {}

  @Get('services')
  @ResponseSchema(schemas.serviceList)
  services(@Query(validated(schemas.listServicesQuery)) _: object): Promise<schemas.ServiceList> {
    return this.platform.services();
  }

  @Get('tenants/top')
  @ResponseSchema(schemas.topTenants)
  topTenants(@Query(validated(schemas.topTenantsQuery)) query: schemas.TopTenantsQuery): Promise<schemas.TopTenants> {
    return this.platform.topTenants(query);
  }

  @Get('capacity')
  @ResponseSchema(schemas.capacity)
  capacity(@Query(validated(schemas.capacityQuery)) _: object): Promise<schemas.Capacity> {
    return this.platform.capacity();
  }
}
