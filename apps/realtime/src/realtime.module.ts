import { Module } from '@nestjs/common';
import { AppLogger } from '@spooled/platform';
import {
  AuthModule,
  HttpErrorsModule,
  provider,
  REDIS,
  StoresModule,
  StreamSlotsModule,
  UnsentModule,
} from '@spooled/service';
import { EventSubscriber, RedisEventSubscriber, type RedisShards } from '@spooled/transport';
import { EventsController } from './sse/events.controller.js';
import { JobWatch } from './sse/job-watch.service.js';
import { QueueWatch } from './sse/queue-watch.service.js';
import { SseHandler } from './sse/sse.handler.js';
import { Admission } from './streams/admission.service.js';
import { CredentialWatch } from './streams/credential-watch.service.js';
import { HealthBroadcaster } from './streams/health-broadcaster.service.js';
import { NoEvents } from './streams/no-events.js';
import { OpenStreams } from './streams/open-streams.js';
import { WebSocketHandler } from './websocket/websocket.handler.js';
import { WebSocketController } from './websocket/websocket.controller.js';

const openSubscriber = (redis: RedisShards | null, logger: AppLogger): EventSubscriber =>
  redis ? new RedisEventSubscriber(redis, logger) : new NoEvents();

@Module({
  imports: [
    // Neither decides readiness: open streams go on without either, and so do new callers whose keys are cached.
    StoresModule.forRoot({ database: { critical: false }, redis: { required: false } }),
    HttpErrorsModule,
    UnsentModule,
    AuthModule,
    StreamSlotsModule,
  ],
  controllers: [EventsController, WebSocketController],
  providers: [
    provider(EventSubscriber, openSubscriber, [REDIS, AppLogger]),
    Admission,
    OpenStreams,
    CredentialWatch,
    HealthBroadcaster,
    WebSocketHandler,
    SseHandler,
    JobWatch,
    QueueWatch,
  ],
})
export class RealtimeModule {}
