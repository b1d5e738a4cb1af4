import { Body, Controller, Delete, Get, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { adminSchemas as schemas, organizationSchemas } from '@spooled/contracts';
import type { Page } from '@spooled/service';
import { Admin } from '../auth/access.decorators.js';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { toCreatedOrganizationResponse } from '../tenants/tenant-responses.js';
import { idParam } from '../http/path-params.js';
import { AdminOrganizationsService } from './admin-organizations.service.js';

const organizationId = idParam('Organization');

@ApiTags('admin')
@Admin()
@Controller('admin/organizations')
export class AdminOrganizationsController {
  constructor(private readonly organizations: AdminOrganizationsService) {}

  @Get()
  @ListResponse(schemas.listedOrganization, schemas.organizationPage)
  list(
    @Query(validated(schemas.listOrganizationsQuery)) query: schemas.ListOrganizationsQuery,
  ): Promise<Page<schemas.ListedOrganization>> {
    return this.organizations.list(query);
  }

  @Post()
  @TextResponse(schemas.adminCreated, 201)
  async create(@Body(validated(schemas.adminCreateBody)) body: schemas.AdminCreateBody): Promise<string> {
    return toCreatedOrganizationResponse(await this.organizations.create(body), { repeated: true });
  }

  @Get(':id')
  @TextResponse(schemas.organizationDetail)
  get(@Param('id', organizationId) id: string): Promise<string> {
    return this.organizations.get(id);
  }

  @Patch(':id')
  @TextResponse(organizationSchemas.organization)
  update(
    @Param('id', organizationId) id: string,
    @Body(validated(schemas.adminUpdateBody)) body: schemas.AdminUpdateBody,
  ): Promise<string> {
    return this.organizations.update(id, body);
  }

  /** The route of older SDKs. */
  @Put(':id')
  @TextResponse(organizationSchemas.organization)
  replace(
    @Param('id', organizationId) id: string,
    @Body(validated(schemas.adminUpdateBody)) body: schemas.AdminUpdateBody,
  ): Promise<string> {
    return this.organizations.update(id, body);
  }

  @Delete(':id')
  @ResponseSchema(null, 204)
  remove(
    @Param('id', organizationId) id: string,
    @Query(validated(schemas.deleteQuery)) { hard_delete, hard }: schemas.DeleteQuery,
  ): Promise<void> {
    return hard_delete || hard ? this.organizations.erase(id) : this.organizations.retire(id);
  }

  @Post(':id/api-keys')
  @ResponseSchema(schemas.adminCreatedKey, 201)
  createKey(
    @Param('id', organizationId) id: string,
    @Body(validated(schemas.adminKeyBody)) body: schemas.AdminKeyBody,
  ): Promise<schemas.AdminCreatedKey> {
    return this.organizations.createKey(id, body);
  }

  @Post(':id/reset-usage')
  @ResponseSchema(null, 204)
  resetUsage(@Param('id', organizationId) id: string): Promise<void> {
    return this.organizations.resetUsage(id);
  }
}
