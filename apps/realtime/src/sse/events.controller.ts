import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { notFound } from '@spooled/domain';
import { EventSubscriber } from '@spooled/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HealthBroadcaster } from '../streams/health-broadcaster.service.js';
import { type LiveEvent, liveEventsOf } from '../streams/live-event.js';
import { queryOf, readFilter } from '../streams/stream-query.js';
import { JobWatch } from './job-watch.service.js';
import { QueueWatch } from './queue-watch.service.js';
import { ResumedEvents } from './resumed-events.js';
import { SseHandler } from './sse.handler.js';

/** Server-sent events (SP-12). */
@Controller('api/v1/events')
export class EventsController {
  constructor(
    private readonly handler: SseHandler,
    private readonly subscriber: EventSubscriber,
    private readonly health: HealthBroadcaster,
    private readonly jobs: JobWatch,
    private readonly queues: QueueWatch,
  ) {}

  /** All events of the organization within the key's scope and the query's filter, and the system's health. */
  @Get()
  async all(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = await this.handler.identify(request, reply, 'events');
    const filter = readFilter(queryOf(request.raw.url), caller.queues);
    const stream = await this.handler.prepare(request, reply, caller, 'events');
    const send = (event: LiveEvent) => void (filter.matches(event) && stream.send(event));
    const resumed = new ResumedEvents(send);
    stream.onEnded(
      this.subscriber.subscribe(caller.organizationId, (batch) => liveEventsOf(batch).forEach(resumed.add)),
    );
    stream.onEnded(this.health.follow(send));
    await this.subscriber.ready(caller.organizationId);
    this.handler.begin(reply, stream);
    await resumed.replay(this.missed(caller.organizationId, request.headers['last-event-id']));
  }

  /** Events missed by a reconnecting client; none while Redis is down, as for a new client. */
  private async missed(organizationId: string, lastId: string | string[] | undefined): Promise<LiveEvent[]> {
    if (typeof lastId !== 'string') return [];
    return liveEventsOf(await this.subscriber.since(organizationId, lastId).catch(() => []));
  }

  /** The status of one job, now and at each change, until it has ended. */
  @Get('jobs/:id')
  async job(@Param('id') id: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = await this.handler.identify(request, reply, 'job');
    const stream = await this.handler.prepare(request, reply, caller, 'watch');
    const follower = await this.jobs.follow(stream, id);
    this.handler.begin(reply, stream);
    follower.start();
  }

  /**
   * Live statistics of a queue, now and every 5 s. The stream of a queue outside the key's scope ends after its first
   * bytes.
   */
  @Get('queues/:name')
  async queue(@Param('name') name: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const caller = await this.handler.identify(request, reply, 'queue');
    // PostgreSQL cannot store such a name, and would refuse it at each count.
    if (name.includes('\0')) throw notFound('Queue');
    const stream = await this.handler.prepare(request, reply, caller, 'watch');
    this.handler.begin(reply, stream);
    this.queues.follow(stream, name);
  }
}
