import { Body, Controller, Delete, Get, Put, Query } from '@nestjs/common';
import { organizationSchemas as schemas } from '@spooled/contracts';
import { CurrentPrincipal, Requires, Unscoped } from '../auth/access.decorators.js';
import type { Page, Principal } from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { OrganizationsService } from './organizations.service.js';
import { OwnOrganization } from './own-organization.js';

/** Controller of the organization routes. Organizations other than the caller's are 404. */
@ApiTags('organizations')
@Controller('organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get()
  @Requires('read')
  @ListResponse(schemas.organizationSummary)
  list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listOwnOrganizationsQuery)) query: schemas.ListOwnOrganizationsQuery,
  ): Promise<Page<schemas.OrganizationSummary>> {
    return this.organizations.list(principal, query);
  }

  @Get('usage')
  @Requires('read')
  @ResponseSchema(schemas.usageInfo)
  usage(@CurrentPrincipal() principal: Principal): Promise<schemas.UsageInfo> {
    return this.organizations.usage(principal);
  }

  @Get(':id/usage')
  @Requires('read')
  @ResponseSchema(schemas.usageInfo)
  usageOf(@OwnOrganization() principal: Principal): Promise<schemas.UsageInfo> {
    return this.organizations.usage(principal);
  }

  @Get(':id')
  @Requires('read')
  @TextResponse(schemas.organization)
  get(@OwnOrganization() principal: Principal): Promise<string> {
    return this.organizations.get(principal);
  }

  @Put(':id')
  @Requires('administer')
  @Unscoped()
  @TextResponse(schemas.organization)
  update(
    @OwnOrganization() principal: Principal,
    @Body(validated(schemas.updateOrganizationBody)) body: schemas.UpdateOrganizationBody,
  ): Promise<string> {
    return this.organizations.update(principal, body);
  }

  @Delete(':id')
  @Requires('administer')
  @Unscoped()
  @ResponseSchema(null, 204)
  remove(@OwnOrganization() principal: Principal): Promise<void> {
    return this.organizations.remove(principal);
  }

  @Get(':id/members')
  @Requires('administer')
  @Unscoped()
  @ListResponse(schemas.member)
  members(
    @OwnOrganization() principal: Principal,
    @Query(validated(schemas.listMembersQuery)) query: schemas.ListMembersQuery,
  ): Promise<Page<schemas.Member>> {
    return this.organizations.members(principal, query);
  }
}
