import { Injectable } from '@nestjs/common';
import { Database, findJobStatuses } from '@spooled/data-access';
import { isJobStatus, isTerminal, isUuid, type JobStatus } from '@spooled/domain';
import { AppLogger } from '@spooled/platform';
import { errorEvent, LiveEvent } from '../streams/live-event.js';
import { OrganizationFeeds } from '../streams/organization-feeds.js';
import type { SseStream } from './sse-stream.js';

/** Live events may be lost, so the job is also looked up now and then; often while none can arrive. */
const checkEveryMs = 15_000;
const checkEveryMsWithoutEvents = 2_000;

interface JobNow {
  status: JobStatus;
  queueName: string;
}

type ReadJob = () => Promise<JobNow | null>;

/** Follows single jobs: the database says how a job stands, live events say when it moves. */
@Injectable()
export class JobWatch {
  constructor(
    private readonly database: Database,
    private readonly feeds: OrganizationFeeds,
    private readonly logger: AppLogger,
  ) {}

  /**
   * Prepares to follow a job; nothing is sent before `start`.
   * @throws SpooledError 503 when PostgreSQL is away
   */
  async follow(stream: SseStream, jobId: string): Promise<JobFollower> {
    const id = jobId.toLowerCase();
    const { organizationId } = stream.caller;
    const read: ReadJob = () => this.read(stream, id);
    const follower = new JobFollower(stream, id, read, {
      checkEvery: () => (this.feeds.isLive(organizationId) ? checkEveryMs : checkEveryMsWithoutEvents),
      onError: (err) => this.logger.warn({ err, job_id: id }, 'a followed job could not be looked up'),
    });
    // Followed before it is read, so that no move falls between the two.
    stream.onEnded(
      this.feeds.follow(organizationId, (events) => {
        for (const event of events) if (event.jobId === id) follower.onEvent(event);
      }),
    );
    await this.feeds.ready(organizationId);
    follower.first = await read();
    return follower;
  }

  private async read({ caller }: SseStream, id: string): Promise<JobNow | null> {
    if (!isUuid(id)) return null;
    const [row] = await this.database.withTenant(caller.organizationId, (tx) =>
      findJobStatuses(tx, [id], caller.queues),
    );
    return row && isJobStatus(row.status) ? { status: row.status, queueName: row.queue_name } : null;
  }
}

/** One client following one job. */
export class JobFollower {
  /** How the job stood when it was looked up first. */
  first: JobNow | null = null;
  private shown?: JobStatus;
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

  /** Shows how the job stands, then every move that came in since it was looked up. */
  start(): void {
    this.show(this.first);
    for (const event of this.early) this.onEvent(event);
    this.checkLater();
  }

  onEvent(event: LiveEvent): void {
    if (event.envelope.type !== 'JobStatusChange' || this.ended) return;
    if (this.shown === undefined) return void this.early.push(event);
    const { new_status: status } = event.envelope.data;
    if (status === this.shown) return;
    this.shown = status;
    this.stream.send(event);
    this.endWith(status);
  }

  private show(job: JobNow | null): void {
    if (this.ended) return;
    if (!job) {
      this.stream.send(errorEvent('Job not found'));
      return this.finish();
    }
    if (job.status === this.shown) return;
    this.stream.send(statusEvent(job, this.shown ?? '', this.jobId));
    this.shown = job.status;
    this.endWith(job.status);
  }

  private endWith(status: JobStatus): void {
    if (isTerminal(status)) this.finish();
  }

  private finish(): void {
    this.stop();
    this.stream.end('complete');
  }

  private checkLater(): void {
    if (this.ended) return;
    this.check = setTimeout(() => void this.checkNow(), this.options.checkEvery()).unref();
  }

  private async checkNow(): Promise<void> {
    try {
      this.show(await this.read());
    } catch (error) {
      this.options.onError(error);
    }
    this.checkLater();
  }

  private stop(): void {
    this.ended = true;
    clearTimeout(this.check);
  }
}

const statusEvent = ({ status, queueName }: JobNow, from: JobStatus | '', jobId: string): LiveEvent =>
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
