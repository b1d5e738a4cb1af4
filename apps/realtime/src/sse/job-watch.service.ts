import { Injectable } from '@nestjs/common';
import { Database, findJobStatuses } from '@spooled/data-access';
import { isJobStatus, isTerminal, isUuid, type JobStatus } from '@spooled/domain';
import { AppLogger } from '@spooled/platform';
import { EventSubscriber } from '@spooled/transport';
import { errorEvent, LiveEvent, liveEventsOf } from '../streams/live-event.js';
import type { SseStream } from './sse-stream.js';

/** Live events may be lost, so the job is also polled; more often while no events are received. */
const pollMs = 15_000;
const pollMsWithoutEvents = 2_000;

interface CurrentJob {
  status: JobStatus;
  queueName: string;
}

type ReadJob = () => Promise<CurrentJob | null>;

/** Follows single jobs: the status comes from the database, changes from live events. */
@Injectable()
export class JobWatch {
  constructor(
    private readonly database: Database,
    private readonly subscriber: EventSubscriber,
    private readonly logger: AppLogger,
  ) {}

  /**
   * Prepares to follow a job; nothing is sent before `start`.
   * @throws SpooledError 503 when PostgreSQL is unavailable
   */
  async follow(stream: SseStream, jobId: string): Promise<JobFollower> {
    const id = jobId.toLowerCase();
    const { organizationId } = stream.caller;
    const read: ReadJob = () => this.read(stream, id);
    const follower = new JobFollower(stream, id, read, {
      checkEvery: () => (this.subscriber.isSubscribed(organizationId) ? pollMs : pollMsWithoutEvents),
      onError: (err) => this.logger.warn({ err, job_id: id }, 'failed to read a followed job'),
    });
    // Subscribed before reading, so that no change is missed in between.
    stream.onEnded(
      this.subscriber.subscribe(organizationId, (batch) => {
        for (const event of liveEventsOf(batch)) if (event.jobId === id) follower.onEvent(event);
      }),
    );
    await this.subscriber.ready(organizationId);
    follower.first = await read();
    return follower;
  }

  private async read({ caller }: SseStream, id: string): Promise<CurrentJob | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.withTenant(caller.organizationId, (tx) =>
      tx.run(findJobStatuses, { ids: [id], queues: caller.queues }),
    );
    return row && isJobStatus(row.status) ? { status: row.status, queueName: row.queue_name } : null;
  }
}

/** A client's stream of one job. */
export class JobFollower {
  /** The job when it was first read. */
  first: CurrentJob | null = null;
  private lastStatus?: JobStatus;
  private readonly early: LiveEvent[] = [];
  private check?: NodeJS.Timeout;
  private ended = false;

  constructor(
    private readonly stream: SseStream,
    private readonly jobId: string,
    private readonly read: ReadJob,
    private readonly options: { checkEvery: () => number; onError: (error: unknown) => void },
  ) {
    stream.onEnded(() => this.stop());
  }

  /** Sends the status, then every change received since it was read. */
  start(): void {
    this.sendStatus(this.first);
    for (const event of this.early) this.onEvent(event);
    this.scheduleCheck();
  }

  onEvent(event: LiveEvent): void {
    if (event.envelope.type !== 'JobStatusChange' || this.ended) return;
    if (this.lastStatus === undefined) return void this.early.push(event);
    const { new_status: status } = event.envelope.data;
    if (status === this.lastStatus) return;
    this.lastStatus = status;
    this.stream.send(event);
    this.endWith(status);
  }

  private sendStatus(job: CurrentJob | null): void {
    if (this.ended) return;
    if (!job) {
      this.stream.send(errorEvent('Job not found'));
      return this.finish();
    }
    if (job.status === this.lastStatus) return;
    this.stream.send(statusEvent(job, this.lastStatus ?? '', this.jobId));
    this.lastStatus = job.status;
    this.endWith(job.status);
  }

  private endWith(status: JobStatus): void {
    if (isTerminal(status)) this.finish();
  }

  private finish(): void {
    this.stop();
    this.stream.end('complete');
  }

  private scheduleCheck(): void {
    if (this.ended) return;
    this.check = setTimeout(() => void this.checkNow(), this.options.checkEvery()).unref();
  }

  private async checkNow(): Promise<void> {
    try {
      this.sendStatus(await this.read());
    } catch (error) {
      this.options.onError(error);
    }
    this.scheduleCheck();
  }

  private stop(): void {
    this.ended = true;
    clearTimeout(this.check);
  }
}

const statusEvent = ({ status, queueName }: CurrentJob, from: JobStatus | '', jobId: string): LiveEvent =>
  new LiveEvent({
    type: 'JobStatusChange',
    data: {
      job_id: jobId,
      queue_name: queueName,
      old_status: from,
      new_status: status,
      status,
      timestamp: new Date().toISOString(),
    },
  });
