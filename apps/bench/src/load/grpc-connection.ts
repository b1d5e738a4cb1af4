import {
  Client,
  type ClientDuplexStream,
  type ClientReadableStream,
  credentials,
  Metadata,
  type MethodDefinition,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { fromJSON, type PackageDefinition } from '@grpc/proto-loader';
import { type grpcMessages, protoFiles } from '@spooled/contracts';
import protobuf from 'protobufjs';

/** Messages as `grpcMessages` has them, but for absent fields, whose defaults nobody asks for here. */
const contract: PackageDefinition = readContract();

function readContract(): PackageDefinition {
  const root = new protobuf.Root();
  for (const name of ['google/protobuf/struct.proto', 'google/protobuf/timestamp.proto']) {
    root.addJSON(protobuf.common.get(name)!.nested!);
  }
  for (const text of Object.values(protoFiles)) protobuf.parse(text, root, { keepCase: true });
  return fromJSON(root.toJSON(), { keepCase: true, longs: Number, enums: String, oneofs: false });
}

/** Whether the contract has this call of QueueService. */
export const hasCall = (name: string): boolean => name in (contract['spooled.v1.QueueService'] as ServiceDefinition);

/** One connection to the gRPC door, as one worker or producer has it. */
export class GrpcConnection {
  private readonly client: Client;
  private readonly metadata = new Metadata();

  constructor(address: string, apiKey: string) {
    // Channels to one address share a connection otherwise.
    this.client = new Client(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
    this.metadata.set('x-api-key', apiKey);
  }

  /** A call with one answer. @throws ServiceError */
  call<Answer>(name: string, request: object): Promise<Answer> {
    const { path, requestSerialize, responseDeserialize } = methodOf<object, Answer>(name);
    return new Promise((resolve, reject) => {
      this.client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        request,
        this.metadata,
        (error, answer) => (error ? reject(error) : resolve(answer as Answer)),
      );
    });
  }

  streamJobs(request: Partial<grpcMessages.StreamJobsRequest>): ClientReadableStream<grpcMessages.Job> {
    const { path, requestSerialize, responseDeserialize } = methodOf<object, grpcMessages.Job>('StreamJobs');
    return this.client.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, this.metadata);
  }

  processJobs(): ClientDuplexStream<object, grpcMessages.ProcessResponse> {
    const { path, requestSerialize, responseDeserialize } = methodOf<object, grpcMessages.ProcessResponse>(
      'ProcessJobs',
    );
    return this.client.makeBidiStreamRequest(path, requestSerialize, responseDeserialize, this.metadata);
  }

  close(): void {
    this.client.close();
  }
}

/** @throws Error when the contract has no such call */
function methodOf<Request, Answer>(name: string): MethodDefinition<Request, Answer> {
  const found = (contract['spooled.v1.QueueService'] as ServiceDefinition)[name];
  if (!found) throw new Error(`QueueService has no ${name}`);
  return found as MethodDefinition<Request, Answer>;
}
