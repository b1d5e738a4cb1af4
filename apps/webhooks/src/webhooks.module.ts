import { Module } from '@nestjs/common';
import { DeliverModule } from './deliver/deliver.module.js';
import { IngestModule } from './ingest/ingest.module.js';
import { StoresModule } from './stores/stores.module.js';

@Module({ imports: [StoresModule, IngestModule, DeliverModule] })
export class WebhooksModule {}
