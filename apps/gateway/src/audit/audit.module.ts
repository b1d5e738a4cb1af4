import { Module } from '@nestjs/common';
import { AdminAuditController, AuditController } from './audit.controller.js';

@Module({ controllers: [AuditController, AdminAuditController] })
export class AuditModule {}
