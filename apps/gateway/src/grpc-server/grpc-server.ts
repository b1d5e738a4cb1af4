import { type ChannelOptions, Server, ServerCredentials } from '@grpc/grpc-js';
import { Inject, Injectable } from '@nestjs/common';
import { requestLimits } from '@spooled/contracts';
import type { BatchServiceServer, QueueServiceServer, WorkerServiceServer } from '@spooled/contracts/grpc';
import type { Clock } from '@spooled/domain';
import { AppLogger, SETTINGS, SharedPort } from '@spooled/platform';
import { CLOCK } from '@spooled/service';
import { HealthImplementation, protoPath as healthProtoPath } from 'grpc-health-check';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewaySettings } from '../gateway.config.js';
import { JobsGrpcHandler } from '../jobs/jobs-grpc.handler.js';
import { BatchesGrpcHandler } from '../work/batches-grpc.handler.js';
import { ProcessJobsGrpcHandler } from '../work/process-jobs-grpc.handler.js';
import { StreamJobsGrpcHandler } from '../work/stream-jobs-grpc.handler.js';
import { WorkGrpcHandler } from '../work/work-grpc.handler.js';
import { WorkersGrpcHandler } from '../workers/workers-grpc.handler.js';
import { ConnectionLeases } from '../work/connection-leases.js';
import { EarlyAdmission } from '../grpc/early-admission.js';
import { readTlsFiles } from '../grpc/grpc.config.js';
import { OpenStreams } from '../grpc/open-streams.js';
import { ConnectionAge } from './connection-age.js';
import { batchService, protoFiles, queueService, serviceNames, workerService } from '../grpc/service-definitions.js';
import { UnaryCalls } from '../grpc/unary-calls.js';
import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema } from '@bufbuild/protobuf/wkt';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { ReflectionService } from '@grpc/reflection';

/** How long calls in flight may take once the process stops. */
const drainMs = 5_000;
/** How long sending the last responses may take. */
const flushMs = 500;

const socketOptions = { noDelay: true };
const options: ChannelOptions = {
  'grpc.max_receive_message_length': requestLimits.grpcMessageBytes,
  // Detects workers whose machine is gone, so that their leases are released.
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_concurrent_streams': 1_000,
};

/**
 * The gRPC server (SP-03, SP-43): which handler answers which method. Sockets are accepted here and passed to grpc-js, which does not
 * report when a connection ends; leases are bound to connections.
 */
@Injectable()
export class GrpcServer {
  private readonly server: Server;
  private readonly listener = createServer(socketOptions, (socket) => this.accept(socket));
  private readonly sharedPort = new SharedPort(this.listener, socketOptions, (err) =>
    this.logger.error({ err }, 'a gRPC connection could not be accepted'),
  );
  private readonly sockets = new Set<Socket>();
  private health: HealthImplementation | null = null;
  private connections: ConnectionAge | null = null;

  constructor(
    private readonly calls: UnaryCalls,
    private readonly streams: OpenStreams,
    private readonly leases: ConnectionLeases,
    private readonly jobs: JobsGrpcHandler,
    private readonly work: WorkGrpcHandler,
    private readonly workers: WorkersGrpcHandler,
    private readonly streamJobs: StreamJobsGrpcHandler,
    private readonly processJobs: ProcessJobsGrpcHandler,
    private readonly batches: BatchesGrpcHandler,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    @Inject(CLOCK) private readonly clock: Clock,
    early: EarlyAdmission,
  ) {
    this.server = new Server({ ...options, interceptors: [early.interceptor] });
  }

  /** The port that it listens on; differs from the setting when that is 0. */
  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** @throws SettingsError for a certificate that cannot be read; Error when the port is taken */
  async listen(): Promise<void> {
    this.addServices();
    const credentials = this.credentials();
    this.connections = new ConnectionAge({
      maxAgeMs: this.settings.GRPC_MAX_CONNECTION_AGE_SECS * 1_000,
      clock: this.clock,
      createInjector: () => this.server.createConnectionInjector(credentials),
      onLeaving: (connections) => this.leases.keep(connections),
      onAsked: (connections) => this.streams.endOn(connections),
    });
    const { GRPC_PORT: port, HOST: host } = this.settings;
    await this.sharedPort.listen({ port, host }, (at) => once(this.listener.listen(at), 'listening'));
  }

  /** Takes no new connections, ends streams with UNAVAILABLE, completes calls in flight, then closes connections. */
  async close(): Promise<void> {
    if (this.health) setHealth(this.health, 'NOT_SERVING');
    this.leases.drain();
    this.listener.close();
    void this.sharedPort.close();
    this.connections?.drain(drainMs);
    await Promise.race([
      Promise.all([this.streams.stop(), this.calls.drained()]),
      sleep(drainMs, null, { ref: false }),
    ]);
    await Promise.race([this.disconnected(), sleep(flushMs, null, { ref: false })]);
    this.server.forceShutdown();
    // Those that had been asked to leave before are unknown to the server by now.
    for (const socket of this.sockets) socket.destroy();
    await this.leases.idle();
  }

  private addServices(): void {
    const { server, calls, streams, jobs, work, workers, batches } = this;
    const queueMethods: QueueServiceServer = {
      enqueue: calls.handler(jobs.enqueue.bind(jobs)),
      dequeue: calls.handler(work.dequeue.bind(work)),
      complete: calls.handler(work.complete.bind(work)),
      fail: calls.handler(work.fail.bind(work)),
      renewLease: calls.handler(work.renewLease.bind(work)),
      getJob: calls.handler(jobs.getJob.bind(jobs)),
      getQueueStats: calls.handler(jobs.getQueueStats.bind(jobs)),
      streamJobs: streams.handler('stream_jobs', this.streamJobs.serve.bind(this.streamJobs)),
      processJobs: streams.handler('process_jobs', this.processJobs.serve.bind(this.processJobs)),
    };
    const workerMethods: WorkerServiceServer = {
      register: calls.handler(workers.register.bind(workers)),
      heartbeat: calls.handler(workers.heartbeat.bind(workers)),
      deregister: calls.handler(workers.deregister.bind(workers)),
    };
    const batchMethods: BatchServiceServer = {
      enqueueMany: calls.handler(jobs.enqueueMany.bind(jobs)),
      streamBatches: streams.handler('stream_batches', batches.stream.bind(batches)),
      settleMany: calls.handler(batches.settle.bind(batches)),
    };
    server.addService(queueService, queueMethods);
    server.addService(workerService, workerMethods);
    server.addService(batchService, batchMethods);
    this.health = addHealth(server);
    addReflection(server);
  }

  private credentials(): ServerCredentials {
    const tls = readTlsFiles(this.settings);
    if (!tls) return ServerCredentials.createInsecure();
    return ServerCredentials.createSsl(null, [{ cert_chain: tls.certificate, private_key: tls.key }]);
  }

  private accept(socket: Socket): void {
    const connection = `${socket.remoteAddress}:${socket.remotePort}`;
    this.sockets.add(socket);
    this.leases.opened(connection);
    // HTTP/2 handles errors too, but before it has the socket an error without a listener would end the process.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.leases.closed(connection);
    });
    this.connections?.accept(connection, socket);
  }

  private async disconnected(): Promise<void> {
    await Promise.all([...this.sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  }
}

/** grpc.health.v1 for load balancers (SP-44), without credentials. `setHealth` changes what it answers. */
function addHealth(server: Server): HealthImplementation {
  const health = new HealthImplementation();
  setHealth(health, 'SERVING');
  health.addToServer(server);
  return health;
}

function setHealth(health: HealthImplementation, status: 'SERVING' | 'NOT_SERVING'): void {
  for (const name of ['', ...serviceNames]) health.setStatus(name, status);
}

/** Server reflection for grpcurl and Postman (SP-45), v1 and v1alpha, without credentials. */
function addReflection(server: Server): void {
  const fileDescriptorProtos = protoFiles.file.map((file) => Buffer.from(toBinary(FileDescriptorProtoSchema, file)));
  // Reflection reads only the file descriptors of a definition.
  const own: PackageDefinition = {
    'spooled.v1': { format: 'Protocol Buffer 3 EnumDescriptorProto', type: {}, fileDescriptorProtos },
  };
  new ReflectionService({ ...loadSync(healthProtoPath), ...own }).addToServer(server);
}
