import {
  type ChannelCredentials,
  type ClientDuplexStream,
  credentials,
  loadPackageDefinition,
  Metadata,
  type ServiceClientConstructor,
  type ServiceError,
} from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import type {
  DeregisterRequest,
  HeartbeatRequest,
  HeartbeatResponse,
  ProcessRequest,
  ProcessResponse,
  RegisterWorkerRequest,
  RegisterWorkerResponse,
} from '../generated/messages.js';
import { protocol } from '../generated/protocol.js';
import type { SpooledOptions } from '../spooled.js';
import { errorOfCall } from './grpc-errors.js';

type Unary = (request: object, metadata: Metadata, options: { deadline: Date }, done: Answered) => unknown;
type Answered = (error: ServiceError | null, answer: unknown) => void;
type Rpcs = Record<string, Unary> & { close(): void };

/** The calls of the gRPC door that a worker needs, under one API key. */
export class GrpcClient {
  private readonly metadata = new Metadata();
  private readonly timeoutMs: number;
  private readonly queue: Rpcs;
  private readonly workers: Rpcs;

  /** @throws TypeError without an API key: the gRPC door takes no access tokens */
  constructor(options: SpooledOptions) {
    if (!options.apiKey) throw new TypeError('Workers over gRPC need an API key');
    this.metadata.set('x-api-key', options.apiKey);
    this.timeoutMs = options.timeoutMs ?? 30_000;
    const { hostname } = new URL(options.baseUrl);
    const address = options.grpcAddress ?? `${hostname}:50051`;
    const security = securityOf(options, address);
    const { QueueService, WorkerService } = loadServices();
    // One channel for both: the server binds leases to the connection, and gives them back when it ends.
    this.queue = new QueueService(address, security, keepAlive) as unknown as Rpcs;
    this.workers = new WorkerService(address, security, keepAlive) as unknown as Rpcs;
  }

  register(request: Partial<RegisterWorkerRequest>): Promise<RegisterWorkerResponse> {
    return this.unary(this.workers, 'register', request);
  }

  heartbeat(request: Partial<HeartbeatRequest>): Promise<HeartbeatResponse> {
    return this.unary(this.workers, 'heartbeat', request);
  }

  deregister(request: DeregisterRequest): Promise<unknown> {
    return this.unary(this.workers, 'deregister', request);
  }

  processJobs(): ClientDuplexStream<ProcessRequest, ProcessResponse> {
    const open = this.queue.processJobs as unknown as (
      metadata: Metadata,
    ) => ClientDuplexStream<ProcessRequest, ProcessResponse>;
    return open.call(this.queue, this.metadata);
  }

  close(): void {
    this.queue.close();
    this.workers.close();
  }

  private unary<T>(service: Rpcs, method: string, request: object): Promise<T> {
    const deadline = new Date(Date.now() + this.timeoutMs);
    return new Promise((resolve, reject) => {
      service[method]!(request, this.metadata, { deadline }, (error, answer) =>
        error ? reject(errorOfCall(error)) : resolve(answer as T),
      );
    });
  }
}

const keepAlive = { 'grpc.keepalive_time_ms': 30_000, 'grpc.keepalive_timeout_ms': 10_000 };

function loadServices(): { QueueService: ServiceClientConstructor; WorkerService: ServiceClientConstructor } {
  const definition = fromJSON(protocol as Parameters<typeof fromJSON>[0], {
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const { spooled } = loadPackageDefinition(definition) as unknown as {
    spooled: { v1: { QueueService: ServiceClientConstructor; WorkerService: ServiceClientConstructor } };
  };
  return spooled.v1;
}

function securityOf({ grpcTls }: SpooledOptions, address: string): ChannelCredentials {
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\]):/.test(address);
  return (grpcTls ?? !isLocal) ? credentials.createSsl() : credentials.createInsecure();
}
