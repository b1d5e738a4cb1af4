import { Module } from '@nestjs/common';
import { IsolationChecks } from '@spooled/service';
import { TenantsModule } from '../tenants/tenants.module.js';
import { AdminOrganizationsController } from './admin-organizations.controller.js';
import { IsolationController } from './isolation.controller.js';
import { PlatformController } from './platform.controller.js';
import { SystemController } from './system.controller.js';

/** Administration of all organizations, and statistics of the installation. */
@Module({
  imports: [TenantsModule],
  controllers: [AdminOrganizationsController, SystemController, PlatformController, IsolationController],
  providers: [IsolationChecks],
})
export class AdminModule {}
