import { Module } from '@nestjs/common';
import {
  CommandsModule,
  CredentialsModule,
  HttpErrorsModule,
  LimitsModule,
  PayloadContractsModule,
  StoresModule,
} from '@spooled/service';
import { CallbackModule } from './callback/callback.module.js';
import { DeliverModule } from './deliver/deliver.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { PushModule } from './push/push.module.js';

@Module({
  imports: [
    // Without PostgreSQL nothing can be accepted or sent; without Redis deliveries are found by looking at their table.
    StoresModule.forRoot({ database: { critical: true }, redis: { required: false } }),
    HttpErrorsModule,
    LimitsModule,
    CredentialsModule,
    CommandsModule,
    PayloadContractsModule,
    CallbackModule,
    IngestModule,
    DeliverModule,
    PushModule,
  ],
})
export class WebhooksModule {}
