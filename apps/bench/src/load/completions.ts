import { once } from 'node:events';
import type { ClientDuplexStream } from '@grpc/grpc-js';
import type { ProcessRequest, ProcessResponse } from '@spooled/contracts/grpc';
import type { GrpcConnection } from './grpc-connection.js';

interface Sent {
  startedAt: number;
  onResponse: (startedAt: number, problem: string | null) => void;
}

/** Completes jobs over one ProcessJobs stream, whose responses arrive in the order of the requests. */
export class Completions {
  private readonly stream: ClientDuplexStream<ProcessRequest, ProcessResponse>;
  private readonly sent: Sent[] = [];
  private readonly ended: Promise<unknown>;

  constructor(
    connection: GrpcConnection,
    private readonly worker: string,
  ) {
    this.stream = connection.processJobs();
    this.stream.on('data', (response: ProcessResponse) => this.onData(response));
    this.stream.on('error', (error) => this.failAll(error.message));
    this.ended = once(this.stream, 'status').catch(() => undefined);
  }

  get inFlight(): number {
    return this.sent.length;
  }

  /** Calls `onResponse` with the time of sending (ms of `performance.now()`) and the error message, or null on success. */
  complete(job: { id: string; lease_id: string }, onResponse: Sent['onResponse']): void {
    this.sent.push({ startedAt: performance.now(), onResponse });
    this.stream.write({ complete: { job_id: job.id, worker_id: this.worker, lease_id: job.lease_id } });
  }

  /** Resolves when all responses have arrived. */
  async close(): Promise<void> {
    this.stream.end();
    await this.ended;
  }

  private onData({ error }: ProcessResponse): void {
    const request = this.sent.shift();
    request?.onResponse(request.startedAt, error ? `${error.code} ${error.message}` : null);
  }

  private failAll(reason: string): void {
    for (const { startedAt, onResponse } of this.sent.splice(0)) onResponse(startedAt, reason);
  }
}
