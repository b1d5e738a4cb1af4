import {
  Client,
  credentials,
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
} from '@grpc/grpc-js';
import { published } from './grpc-caller.js';

const asIs = (bytes: Buffer): Buffer => bytes;
const asBytes = {
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
};

/** A gRPC server without BatchService, as earlier releases are: it passes all other calls on to the gateway. */
export async function startOlderGrpcServer(gateway: string): Promise<{ address: string; stop(): void }> {
  const client = new Client(gateway, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  const server = new Server();
  for (const name of ['spooled.v1.QueueService', 'spooled.v1.WorkerService']) {
    const methods = Object.entries(published[name] as ServiceDefinition);
    const definition = Object.fromEntries(methods.map(([method, each]) => [method, { ...each, ...asBytes }]));
    const handlers = Object.fromEntries(methods.map(([method, each]) => [method, passOn(client, each)]));
    server.addService(definition, handlers);
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    address: `127.0.0.1:${port}`,
    stop: () => {
      server.forceShutdown();
      client.close();
    },
  };
}

type Method = ServiceDefinition[string];

function passOn(client: Client, { path, requestStream, responseStream }: Method) {
  if (requestStream) return passOnBidi(client, path);
  return responseStream ? passOnServerStream(client, path) : passOnUnary(client, path);
}

const passOnUnary =
  (client: Client, path: string): handleUnaryCall<Buffer, Buffer> =>
  ({ request, metadata }, done) =>
    void client.makeUnaryRequest(path, asIs, asIs, request, metadata, (error, response) => done(error, response));

const passOnServerStream =
  (client: Client, path: string): handleServerStreamingCall<Buffer, Buffer> =>
  (call) => {
    const onward = client.makeServerStreamRequest(path, asIs, asIs, call.request, call.metadata);
    onward.on('data', (message: Buffer) => call.write(message));
    onward.on('end', () => call.end());
    onward.on('error', (error) => call.emit('error', error));
    call.on('cancelled', () => onward.cancel());
  };

const passOnBidi =
  (client: Client, path: string): handleBidiStreamingCall<Buffer, Buffer> =>
  (call) => {
    const onward = client.makeBidiStreamRequest(path, asIs, asIs, call.metadata);
    call.on('data', (message: Buffer) => onward.write(message));
    call.on('end', () => onward.end());
    call.on('cancelled', () => onward.cancel());
    onward.on('data', (message: Buffer) => call.write(message));
    onward.on('end', () => call.end());
    onward.on('error', (error) => call.emit('error', error));
  };
