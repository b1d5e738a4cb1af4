import { Module } from '@nestjs/common';
import { IsolationChecks } from '@spooled/service';
import { TenantsModule } from '../tenants/tenants.module.js';
import { AdminOrganizationsController } from './admin-organizations.controller.js';
import { AdminOrganizationsService } from './admin-organizations.service.js';
import { IsolationController } from './isolation.controller.js';
import { IsolationService } from './isolation.service.js';
import { PlatformController } from './platform.controller.js';
import { PlatformService } from './platform.service.js';
import { SystemController } from './system.controller.js';
import { SystemService } from './system.service.js';

/** Administration of all organizations, and statistics of the installation. */
@Module({
  imports: [TenantsModule],
  controllers: [AdminOrganizationsController, SystemController, PlatformController, IsolationController],
  providers: [AdminOrganizationsService, SystemService, PlatformService, IsolationChecks, IsolationService],
})
export class AdminModule {}
