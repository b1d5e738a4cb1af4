import { Module } from '@nestjs/common';
import { CallbackModule } from './callback/callback.module.js';
import { DeliverModule } from './deliver/deliver.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { PushModule } from './push/push.module.js';
import { StoresModule } from './stores/stores.module.js';

@Module({ imports: [StoresModule, CallbackModule, IngestModule, DeliverModule, PushModule] })
export class WebhooksModule {}
