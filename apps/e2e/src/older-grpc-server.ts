import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import {
  Client,
  credentials,
  type handleBidiStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServerWritableStream,
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

/**
 * A gRPC server without BatchService, as earlier releases are: it passes all other calls on to the gateway. Each connection has one of
 * its own to the gateway, which closes with it, because the gateway releases the jobs of a connection that has closed.
 */
export async function startOlderGrpcServer(gateway: string): Promise<{ address: string; stop(): void }> {
  const onward = new Map<string, Client>();
  const server = new Server();
  for (const name of ['spooled.v1.QueueService', 'spooled.v1.WorkerService']) {
    const methods = Object.entries(published[name] as ServiceDefinition);
    const definition = Object.fromEntries(methods.map(([method, each]) => [method, { ...each, ...asBytes }]));
    const handlers = Object.fromEntries(
      methods.map(([method, each]) => [method, passOn((call) => onward.get(call.getPeer())!, each)]),
    );
    server.addService(definition, handlers);
  }
  const injector = server.createConnectionInjector(ServerCredentials.createInsecure());
  const accept = (socket: Socket) => {
    const client = new Client(gateway, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
    const peer = `${socket.remoteAddress}:${socket.remotePort}`;
    onward.set(peer, client);
    socket.once('close', () => {
      onward.delete(peer);
      client.close();
    });
    injector.injectConnection(socket);
  };
  const listener = createServer(accept).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    address: `127.0.0.1:${(listener.address() as AddressInfo).port}`,
    stop: () => {
      listener.close();
      server.forceShutdown();
    },
  };
}

type Method = ServiceDefinition[string];

type ClientOf = (call: Pick<ServerWritableStream<Buffer, Buffer>, 'getPeer'>) => Client;

function passOn(clientOf: ClientOf, { path, requestStream, responseStream }: Method) {
  if (requestStream) return passOnBidi(clientOf, path);
  return responseStream ? passOnServerStream(clientOf, path) : passOnUnary(clientOf, path);
}

const passOnUnary =
  (clientOf: ClientOf, path: string): handleUnaryCall<Buffer, Buffer> =>
  (call, done) => {
    const { request, metadata } = call;
    clientOf(call).makeUnaryRequest(path, asIs, asIs, request, metadata, (error, response) => done(error, response));
  };

const passOnServerStream =
  (clientOf: ClientOf, path: string): handleServerStreamingCall<Buffer, Buffer> =>
  (call) => {
    const onward = clientOf(call).makeServerStreamRequest(path, asIs, asIs, call.request, call.metadata);
    onward.on('data', (message: Buffer) => call.write(message));
    onward.on('end', () => call.end());
    onward.on('error', (error) => call.emit('error', error));
    call.on('cancelled', () => onward.cancel());
  };

const passOnBidi =
  (clientOf: ClientOf, path: string): handleBidiStreamingCall<Buffer, Buffer> =>
  (call) => {
    const onward = clientOf(call).makeBidiStreamRequest(path, asIs, asIs, call.metadata);
    call.on('data', (message: Buffer) => onward.write(message));
    call.on('end', () => onward.end());
    call.on('cancelled', () => onward.cancel());
    onward.on('data', (message: Buffer) => call.write(message));
    onward.on('end', () => call.end());
    onward.on('error', (error) => call.emit('error', error));
  };
