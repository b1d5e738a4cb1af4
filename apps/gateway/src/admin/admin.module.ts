import { Module } from '@nestjs/common';
import { TenantsModule } from '../tenants/tenants.module.js';
import { AdminOrganizationsController } from './admin-organizations.controller.js';
import { AdminOrganizationsService } from './admin-organizations.service.js';
import { PlatformController } from './platform.controller.js';
import { PlatformService } from './platform.service.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

/** Administration of all organizations, and statistics of the installation. */
@Module({
  imports: [TenantsModule],
  controllers: [AdminOrganizationsController, SystemController, PlatformController],
  providers: [AdminOrganizationsService, SystemService, PlatformService],
})
export class AdminModule {}
