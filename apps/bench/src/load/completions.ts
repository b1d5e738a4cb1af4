import { once } from 'node:events';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { ProcessRequest, ProcessResponse } from '@spooled/contracts/grpc';
import type { GrpcConnection } from './grpc-connection.js';

interface Sent {
  startedAt: number;
  answered: (startedAt: number, problem: string | null) => void;
}

/** Completes jobs over one ProcessJobs stream, where answers come in the order of the requests. */
export class Completions {
  private readonly stream: ClientDuplexStream<ProcessRequest, ProcessResponse>;
  private readonly sent: Sent[] = [];
  private readonly ended: Promise<unknown>;

  constructor(
    line: GrpcConnection,
    private readonly worker: string,
  ) {
    this.stream = line.processJobs();
    this.stream.on('data', (answer: ProcessResponse) => this.hear(answer));
    this.stream.on('error', (error) => this.breakOff(error.message));
    this.ended = once(this.stream, 'status').catch(() => undefined);
  }

  get underWay(): number {
    return this.sent.length;
  }

  /** `answered` is told when it was sent (ms of `performance.now()`) and what was wrong, null when nothing. */
  complete(job: { id: string; lease_id: string }, answered: Sent['answered']): void {
    this.sent.push({ startedAt: performance.now(), answered });
    this.stream.write({ complete: { job_id: job.id, worker_id: this.worker, lease_id: job.lease_id } });
  }

  /** Resolves when every answer has come. */
  async close(): Promise<void> {
    this.stream.end();
    await this.ended;
  }

  private hear({ error }: ProcessResponse): void {
    const one = this.sent.shift();
    one?.answered(one.startedAt, error ? `${error.code} ${error.message}` : null);
  }

  private breakOff(reason: string): void {
    for (const { startedAt, answered } of this.sent.splice(0)) answered(startedAt, reason);
  }
}
