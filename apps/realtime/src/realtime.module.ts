import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Callers } from './caller/callers.service.js';
import { ErrorFilter } from './http/error.filter.js';
import { EventsController } from './sse/events.controller.js';
import { JobWatch } from './sse/job-watch.service.js';
import { QueueWatch } from './sse/queue-watch.service.js';
import { SseHandler } from './sse/sse.handler.js';
import { StoresModule } from './stores/stores.module.js';
import { Admission } from './streams/admission.service.js';
import { CredentialWatch } from './streams/credential-watch.service.js';
import { HealthBroadcaster } from './streams/health-broadcaster.service.js';
import { OpenStreams } from './streams/open-streams.js';
import { OrganizationFeeds } from './streams/organization-feeds.js';
import { WebSocketHandler } from './websocket/websocket.handler.js';
import { WebSocketController } from './websocket/websocket.controller.js';

@Module({
  imports: [StoresModule],
  controllers: [EventsController, WebSocketController],
  providers: [
    Callers,
    Admission,
    OpenStreams,
    OrganizationFeeds,
    CredentialWatch,
    HealthBroadcaster,
    WebSocketHandler,
    SseHandler,
    JobWatch,
    QueueWatch,
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class RealtimeModule {}
