import {
  type ChannelCredentials,
  type ClientDuplexStream,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import {
  BatchServiceClient,
  type DeregisterRequest,
  type DeregisterResponse,
  type HeartbeatRequest,
  type HeartbeatResponse,
  type Job,
  type JobBatch,
  type ProcessRequest,
  type ProcessResponse,
  QueueServiceClient,
  type RegisterWorkerRequest,
  type RegisterWorkerResponse,
  type SettleManyRequest,
  type SettleManyResponse,
  type SettlementResult,
  type StreamBatchesRequest,
  type StreamJobsRequest,
  WorkerServiceClient,
} from '@spooled/contracts/grpc';
import type { SpooledOptions } from '../spooled.js';
import { SpooledError } from '../http/errors.js';
import { errorOfRequest } from './grpc-errors.js';

/** What follows the request of a unary call. */
type UnaryCall<Response> = [
  metadata: Metadata,
  options: { deadline: number },
  done: (error: ServiceError | null, response: Response) => void,
];

/** The gRPC calls of a worker, under one API key. */
export class GrpcClient {
  private readonly metadata = new Metadata();
  private readonly timeoutMs: number;
  private readonly queue: QueueServiceClient;
  private readonly workers: WorkerServiceClient;
  private readonly batches: BatchServiceClient;

  /** @throws TypeError without an API key: the gRPC API takes no access tokens */
  constructor(options: SpooledOptions) {
    if (!options.apiKey) throw new TypeError('Workers over gRPC need an API key');
    this.metadata.set('x-api-key', options.apiKey);
    this.timeoutMs = options.timeoutMs ?? 30_000;
    const { hostname } = new URL(options.baseUrl);
    const address = options.grpcAddress ?? `${hostname}:50051`;
    const security = securityOf(options, address);
    // They share one connection: the server binds leases to it, and releases them when it closes.
    this.queue = new QueueServiceClient(address, security, keepAlive);
    this.workers = new WorkerServiceClient(address, security, keepAlive);
    this.batches = new BatchServiceClient(address, security, keepAlive);
  }

  register(request: RegisterWorkerRequest): Promise<RegisterWorkerResponse> {
    return this.unary((...call) => this.workers.register(request, ...call));
  }

  heartbeat(request: HeartbeatRequest): Promise<HeartbeatResponse> {
    return this.unary((...call) => this.workers.heartbeat(request, ...call));
  }

  deregister(request: DeregisterRequest): Promise<DeregisterResponse> {
    return this.unary((...call) => this.workers.deregister(request, ...call));
  }

  processJobs(): ClientDuplexStream<ProcessRequest, ProcessResponse> {
    return this.queue.processJobs(this.metadata);
  }

  streamJobs(request: StreamJobsRequest): ClientReadableStream<Job> {
    return this.queue.streamJobs(request, this.metadata);
  }

  streamBatches(request: StreamBatchesRequest): ClientReadableStream<JobBatch> {
    return this.batches.streamBatches(request, this.metadata);
  }

  async settleMany(request: SettleManyRequest): Promise<SettlementResult[]> {
    const response = await this.unary<SettleManyResponse>((...call) => this.batches.settleMany(request, ...call));
    return response.results;
  }

  /** Whether the server has BatchService. @throws SpooledError when it cannot be asked */
  async hasBatches(workerId: string): Promise<boolean> {
    try {
      await this.settleMany({ worker_id: workerId, settlements: [] });
      return true;
    } catch (error) {
      if (error instanceof SpooledError && error.code === 'UNIMPLEMENTED') return false;
      throw error;
    }
  }

  close(): void {
    this.batches.close();
    this.queue.close();
    this.workers.close();
  }

  private unary<Response>(start: (...call: UnaryCall<Response>) => void): Promise<Response> {
    const deadline = Date.now() + this.timeoutMs;
    return new Promise((resolve, reject) => {
      start(this.metadata, { deadline }, (error, response) =>
        error ? reject(errorOfRequest(error)) : resolve(response),
      );
    });
  }
}

const keepAlive = { 'grpc.keepalive_time_ms': 30_000, 'grpc.keepalive_timeout_ms': 10_000 };

function securityOf({ grpcTls }: SpooledOptions, address: string): ChannelCredentials {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\]):/.test(address);
  return (grpcTls ?? !isLocal) ? credentials.createSsl() : credentials.createInsecure();
}
