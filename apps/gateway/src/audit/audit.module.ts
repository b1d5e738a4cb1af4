import { Module } from '@nestjs/common';
import { AdminAuditController, AuditController } from './audit.controller.js';
import { AuditService } from './audit.service.js';

@Module({ controllers: [AuditController, AdminAuditController], providers: [AuditService] })
export class AuditModule {}
