import type { ClientDuplexStream, ServiceError } from '@grpc/grpc-js';
import type { ProcessRequest, ProcessResponse } from '@spooled/contracts/grpc';
import { NetworkError, type SpooledError } from '../http/errors.js';
import { errorOfCall } from './grpc-errors.js';

interface PendingResponse {
  resolve(response: ProcessResponse): void;
  reject(error: SpooledError): void;
}

/** One ProcessJobs stream: requests may be sent ahead, and responses come in the order of the requests. */
export class ProcessStream {
  private readonly pending: PendingResponse[] = [];
  private ended: SpooledError | null = null;

  constructor(private readonly call: ClientDuplexStream<ProcessRequest, ProcessResponse>) {
    call.on('data', (response: ProcessResponse) => this.pending.shift()?.resolve(response));
    call.on('error', (error: ServiceError) => this.end(errorOfCall(error)));
    call.on('end', () => this.end(new NetworkError('The server ended the stream', undefined)));
  }

  get isOpen(): boolean {
    return this.ended === null;
  }

  /** @throws SpooledError when the stream ends before the response */
  send(request: ProcessRequest): Promise<ProcessResponse> {
    if (this.ended) return Promise.reject(this.ended);
    return new Promise((resolve, reject) => {
      this.pending.push({ resolve, reject });
      this.call.write(request);
    });
  }

  close(): void {
    this.call.end();
  }

  private end(error: SpooledError): void {
    this.ended ??= error;
    for (const { reject } of this.pending.splice(0)) reject(this.ended);
  }
}
