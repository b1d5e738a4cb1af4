import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Callers } from './caller/callers.service.js';
import { ErrorFilter } from './http/error.filter.js';
import { EventsRest } from './sse/events.controller.js';
import { JobWatch } from './sse/job-watch.service.js';
import { QueueWatch } from './sse/queue-watch.service.js';
import { SseDoor } from './sse/sse.handler.js';
import { StoresModule } from './stores/stores.module.js';
import { Admission } from './streams/admission.service.js';
import { CredentialWatch } from './streams/credential-watch.service.js';
import { HealthBeat } from './streams/health-broadcaster.service.js';
import { OpenStreams } from './streams/open-streams.js';
import { OrganizationFeeds } from './streams/organization-feeds.js';
import { WebSocketDoor } from './websocket/websocket.handler.js';
import { WebSocketRest } from './websocket/websocket.controller.js';

@Module({
  imports: [StoresModule],
  controllers: [EventsRest, WebSocketRest],
  providers: [
    Callers,
    Admission,
    OpenStreams,
    OrganizationFeeds,
    CredentialWatch,
    HealthBeat,
    WebSocketDoor,
    SseDoor,
    JobWatch,
    QueueWatch,
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
export class RealtimeModule {}
