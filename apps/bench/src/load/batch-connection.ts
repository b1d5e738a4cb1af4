import { type ClientReadableStream, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import {
  BatchServiceClient,
  type EnqueueManyRequest,
  type EnqueueManyResponse,
  type JobBatch,
  type SettleManyRequest,
  type SettleManyResponse,
  type SettlementResult,
  type StreamBatchesRequest,
} from '@spooled/contracts/grpc';

type Unary<Request, Response> = (
  request: Request,
  metadata: Metadata,
  done: (error: ServiceError | null, response: Response) => void,
) => unknown;

/** A gRPC connection to BatchService. Calls reject with the error of gRPC. */
export class BatchConnection {
  private readonly client: BatchServiceClient;
  private readonly metadata = new Metadata();

  constructor(address: string, apiKey: string) {
    // Without this, channels to the same address share one connection.
    this.client = new BatchServiceClient(address, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
    });
    this.metadata.set('x-api-key', apiKey);
  }

  async enqueueMany(request: EnqueueManyRequest): Promise<void> {
    const enqueue = this.client.enqueueMany.bind(this.client);
    await this.call<EnqueueManyRequest, EnqueueManyResponse>(enqueue, request);
  }

  streamBatches(request: StreamBatchesRequest): ClientReadableStream<JobBatch> {
    return this.client.streamBatches(request, this.metadata);
  }

  async settleMany(request: SettleManyRequest): Promise<SettlementResult[]> {
    const settle = this.client.settleMany.bind(this.client);
    return (await this.call<SettleManyRequest, SettleManyResponse>(settle, request)).results;
  }

  close(): void {
    this.client.close();
  }

  private call<Request, Response>(method: Unary<Request, Response>, request: Request): Promise<Response> {
    return new Promise((resolve, reject) => {
      method(request, this.metadata, (error, response) => (error ? reject(error) : resolve(response)));
    });
  }
}
