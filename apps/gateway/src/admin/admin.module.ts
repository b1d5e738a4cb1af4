import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/tenants.module.js';
import { AdminOrganizationsController } from './admin-organizations.controller.js';
import { AdminOrganizationsService } from './admin-organizations.service.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

/** What the operator of the installation may do: with every organization, and see of the whole. */
@Module({
  imports: [TenantsModule],
  controllers: [AdminOrganizationsController, SystemController],
  providers: [AdminOrganizationsService, SystemService],
})
export class AdminModule {}
