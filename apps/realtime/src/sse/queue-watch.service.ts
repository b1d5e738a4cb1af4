import { Injectable } from '@nestjs/common';
import { countJobs, Database } from '@spooled/data-access';
import { AppLogger } from '@spooled/platform';
import { queueInScope } from '../streams/event-filter.js';
import { LiveEvent } from '../streams/live-event.js';
import type { SseStream } from './sse-stream.js';

const intervalMs = 5_000;

interface WatchedQueue {
  organizationId: string;
  queueName: string;
  streams: Set<SseStream>;
  timer: NodeJS.Timeout;
  isCounting: boolean;
  last?: LiveEvent;
}

/** Sends statistics of queues every 5 s; each queue is counted once for all of its streams. */
@Injectable()
export class QueueWatch {
  private readonly watched = new Map<string, WatchedQueue>();

  constructor(
    private readonly database: Database,
    private readonly logger: AppLogger,
  ) {}

  /** Sends the queue's statistics at once and then periodically until the stream ends. */
  follow(stream: SseStream, queueName: string): void {
    if (!queueInScope(queueName, stream.caller.queues)) return stream.end('complete');
    const key = `${stream.caller.organizationId} ${queueName}`;
    const queue = this.watched.get(key) ?? this.watch(key, stream.caller.organizationId, queueName);
    queue.streams.add(stream);
    if (queue.last) stream.send(queue.last);
    stream.onEnded(() => this.unfollow(key, queue, stream));
  }

  private watch(key: string, organizationId: string, queueName: string): WatchedQueue {
    const timer = setInterval(() => void this.count(queue), intervalMs).unref();
    const queue: WatchedQueue = { organizationId, queueName, streams: new Set(), timer, isCounting: false };
    this.watched.set(key, queue);
    void this.count(queue);
    return queue;
  }

  private unfollow(key: string, queue: WatchedQueue, stream: SseStream): void {
    if (!queue.streams.delete(stream) || queue.streams.size > 0) return;
    clearInterval(queue.timer);
    this.watched.delete(key);
  }

  /** A failed count is skipped; streams stay open until the next one. While one lasts no other begins, so that they do not add up. */
  private async count(queue: WatchedQueue): Promise<void> {
    if (queue.isCounting) return;
    queue.isCounting = true;
    try {
      queue.last = await this.read(queue);
    } catch (err) {
      const { organizationId, queueName } = queue;
      this.logger.warn({ err, organization_id: organizationId, queue: queueName }, 'failed to count a queue');
      return;
    } finally {
      queue.isCounting = false;
    }
    for (const stream of queue.streams) this.send(stream, queue);
  }

  private send(stream: SseStream, { queueName, last }: WatchedQueue): void {
    if (!queueInScope(queueName, stream.caller.queues)) stream.end('revoked');
    else if (last) stream.send(last);
  }

  private async read({ organizationId, queueName }: WatchedQueue): Promise<LiveEvent> {
    const counts = await this.database.withTenant(organizationId, (tx) => tx.one(countJobs, { queues: [queueName] }));
    return new LiveEvent({
      type: 'QueueStats',
      data: {
        queue_name: queueName,
        pending: counts.pending + counts.scheduled,
        processing: counts.processing,
        completed: counts.completed,
        failed: counts.failed + counts.deadletter,
        timestamp: new Date().toISOString(),
      },
    });
  }
}
