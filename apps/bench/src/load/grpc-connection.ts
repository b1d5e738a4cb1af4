import { type ClientDuplexStream, type ClientReadableStream, credentials, Metadata } from '@grpc/grpc-js';
import {
  BatchServiceClient,
  type EnqueueManyRequest,
  type EnqueueManyResponse,
  type Job,
  type JobBatch,
  type ProcessRequest,
  type ProcessResponse,
  QueueServiceClient,
  type SettleManyRequest,
  type SettleManyResponse,
  type StreamBatchesRequest,
  type StreamJobsRequest,
} from '@spooled/contracts/grpc';

// Without this, channels to the same address share one connection.
const options = { 'grpc.use_local_subchannel_pool': 1 };

/** The gRPC connection of one worker or producer, to the service that it calls first. Calls reject with the error of gRPC. */
export class GrpcConnection {
  private readonly queue: QueueServiceClient;
  private readonly batch: BatchServiceClient;
  private readonly metadata = new Metadata();

  constructor({ grpcAddress, apiKey }: { grpcAddress: string; apiKey: string }) {
    this.queue = new QueueServiceClient(grpcAddress, credentials.createInsecure(), options);
    this.batch = new BatchServiceClient(grpcAddress, credentials.createInsecure(), options);
    this.metadata.set('x-api-key', apiKey);
  }

  streamJobs(request: StreamJobsRequest): ClientReadableStream<Job> {
    return this.queue.streamJobs(request, this.metadata);
  }

  processJobs(): ClientDuplexStream<ProcessRequest, ProcessResponse> {
    return this.queue.processJobs(this.metadata);
  }

  streamBatches(request: StreamBatchesRequest): ClientReadableStream<JobBatch> {
    return this.batch.streamBatches(request, this.metadata);
  }

  enqueueMany(request: EnqueueManyRequest): Promise<EnqueueManyResponse> {
    return new Promise((resolve, reject) => {
      this.batch.enqueueMany(request, this.metadata, (error, response) => (error ? reject(error) : resolve(response)));
    });
  }

  settleMany(request: SettleManyRequest): Promise<SettleManyResponse> {
    return new Promise((resolve, reject) => {
      this.batch.settleMany(request, this.metadata, (error, response) => (error ? reject(error) : resolve(response)));
    });
  }

  close(): void {
    this.queue.close();
    this.batch.close();
  }
}
