import { type ClientDuplexStream, type ClientReadableStream, credentials, Metadata } from '@grpc/grpc-js';
import {
  type Job,
  type ProcessRequest,
  type ProcessResponse,
  QueueServiceClient,
  type StreamJobsRequest,
} from '@spooled/contracts/grpc';

/** The gRPC connection of one worker. */
export class GrpcConnection {
  private readonly client: QueueServiceClient;
  private readonly metadata = new Metadata();

  constructor(address: string, apiKey: string) {
    // Without this, channels to the same address share one connection.
    this.client = new QueueServiceClient(address, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    });
    this.metadata.set('x-api-key', apiKey);
  }

  streamJobs(request: StreamJobsRequest): ClientReadableStream<Job> {
    return this.client.streamJobs(request, this.metadata);
  }

  processJobs(): ClientDuplexStream<ProcessRequest, ProcessResponse> {
    return this.client.processJobs(this.metadata);
  }

  close(): void {
    this.client.close();
  }
}
