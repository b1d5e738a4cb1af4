import { Module } from '@nestjs/common';
import { CommandsModule, HttpErrorsModule, PayloadContractsModule, StoresModule, UnsentModule } from '@spooled/service';
import { AdminModule } from './admin/admin.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AccessModule } from './auth/access.module.js';
import { BatchesModule } from './batches/batches.module.js';
import { ConsoleModule } from './console/console.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import { DeadLettersModule } from './dead-letters/dead-letters.module.js';
import { ExplainModule } from './explain/explain.module.js';
import { GrpcServerModule } from './grpc-server/grpc-server.module.js';
import { HealthController } from './health/health.controller.js';
import { InboundWebhooksModule } from './inbound-webhooks/inbound-webhooks.module.js';
import { JobsModule } from './jobs/jobs.module.js';
import { LoadModule } from './load/load.module.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OperationsModule } from './operations/operations.module.js';
import { OutgoingWebhooksModule } from './outgoing-webhooks/outgoing-webhooks.module.js';
import { ProblemsModule } from './problems/problems.module.js';
import { QueuesModule } from './queues/queues.module.js';
import { SchedulesModule } from './schedules/schedules.module.js';
import { SeriesModule } from './series/series.module.js';
import { TenantsModule } from './tenants/tenants.module.js';
import { ThrottleRoutesModule } from './throttles/throttles.module.js';
import { WorkModule } from './work/work.module.js';
import { WorkersModule } from './workers/workers.module.js';
import { WorkflowsModule } from './workflows/workflows.module.js';

@Module({
  imports: [
    // Without PostgreSQL the gateway can do nothing, so it is not ready; without Redis it is degraded and continues.
    StoresModule.forRoot({ database: { critical: true }, redis: { required: false } }),
    HttpErrorsModule,
    UnsentModule,
    LoadModule,
    AccessModule,
    TenantsModule,
    AdminModule,
    ConsoleModule,
    AuditModule,
    CommandsModule,
    PayloadContractsModule,
    JobsModule,
    DeadLettersModule,
    OperationsModule,
    WorkModule,
    QueuesModule,
    ThrottleRoutesModule,
    ExplainModule,
    ProblemsModule,
    SchedulesModule,
    OutgoingWebhooksModule,
    InboundWebhooksModule,
    WorkersModule,
    WorkflowsModule,
    BatchesModule,
    DashboardModule,
    SeriesModule,
    MetricsModule,
    OpenApiModule,
    GrpcServerModule,
  ],
  controllers: [HealthController],
})
export class GatewayModule {}
