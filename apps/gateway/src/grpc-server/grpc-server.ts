import { Server, ServerCredentials, type ChannelOptions, type ConnectionInjector } from '@grpc/grpc-js';
import { Inject, Injectable } from '@nestjs/common';
import { requestLimits } from '@spooled/contracts';
import { AppLogger, SETTINGS } from '@spooled/platform';
import type { HealthImplementation } from 'grpc-health-check';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GatewaySettings } from '../gateway.config.js';
import { JobsGrpcHandler } from '../jobs/jobs-grpc.handler.js';
import { ProcessJobsGrpcHandler } from '../work/process-jobs-grpc.handler.js';
import { StreamJobsGrpcHandler } from '../work/stream-jobs-grpc.handler.js';
import { WorkGrpcHandler } from '../work/work-grpc.handler.js';
import { WorkersGrpcHandler } from '../workers/workers-grpc.handler.js';
import { ConnectionLeases } from '../work/connection-leases.js';
import { EarlyAdmission } from '../grpc/early-admission.js';
import { readTlsFiles } from '../grpc/grpc.config.js';
import { OpenStreams } from '../grpc/open-streams.js';
import { addHealth, addReflection, setHealth } from './probe-services.js';
import { queueService, workerService } from '../grpc/service-definitions.js';
import { UnaryCalls } from '../grpc/unary-calls.js';

/** How long calls in work may take once the process stops. */
const drainMs = 5_000;
/** How long the last answers may take to leave. */
const flushMs = 500;

const options: ChannelOptions = {
  'grpc.max_receive_message_length': requestLimits.grpcMessageBytes,
  // Finds workers whose machine vanished without a word, so that their jobs go back.
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.max_concurrent_streams': 1_000,
};

/**
 * The gRPC door (SP-03, SP-43): which method is answered by whom. Sockets are accepted here and handed to grpc-js, which does
 * not tell when a connection ends; that is what leases are bound to.
 */
@Injectable()
export class GrpcServer {
  private readonly server: Server;
  private readonly listener = createServer({ noDelay: true }, (socket) => this.accept(socket));
  private readonly sockets = new Set<Socket>();
  private health: HealthImplementation | null = null;
  private injector: ConnectionInjector | null = null;

  constructor(
    private readonly calls: UnaryCalls,
    private readonly streams: OpenStreams,
    private readonly leases: ConnectionLeases,
    private readonly jobs: JobsGrpcHandler,
    private readonly work: WorkGrpcHandler,
    private readonly workers: WorkersGrpcHandler,
    private readonly streamJobs: StreamJobsGrpcHandler,
    private readonly processJobs: ProcessJobsGrpcHandler,
    private readonly logger: AppLogger,
    @Inject(SETTINGS) private readonly settings: GatewaySettings,
    early: EarlyAdmission,
  ) {
    this.server = new Server({ ...options, interceptors: [early.interceptor] });
  }

  /** The port that is listened on; useful where the setting lets the system choose one. */
  get port(): number {
    return (this.listener.address() as AddressInfo).port;
  }

  /** @throws SettingsError for a certificate that cannot be read; Error when the port is taken */
  async listen(): Promise<void> {
    this.addServices();
    this.injector = this.server.createConnectionInjector(this.credentials());
    await new Promise<void>((resolve, reject) => {
      this.listener.once('error', reject);
      this.listener.listen(this.settings.GRPC_PORT, this.settings.HOST, () => {
        this.listener.off('error', reject);
        this.listener.on('error', (err) => this.logger.error({ err }, 'a gRPC connection could not be accepted'));
        resolve();
      });
    });
  }

  /** No new connections; streams end with UNAVAILABLE, calls in work get their answers; then connections close. */
  async close(): Promise<void> {
    if (this.health) setHealth(this.health, 'NOT_SERVING');
    this.leases.drain();
    this.listener.close();
    this.injector?.drain(drainMs);
    await Promise.race([
      Promise.all([this.streams.stop(), this.calls.drained()]),
      sleep(drainMs, null, { ref: false }),
    ]);
    await Promise.race([this.disconnected(), sleep(flushMs, null, { ref: false })]);
    this.server.forceShutdown();
    await this.leases.settled();
  }

  private addServices(): void {
    const { server, calls, streams, jobs, work, workers } = this;
    server.addService(queueService, {
      Enqueue: calls.handler(jobs.enqueue.bind(jobs)),
      Dequeue: calls.handler(work.dequeue.bind(work)),
      Complete: calls.handler(work.complete.bind(work)),
      Fail: calls.handler(work.fail.bind(work)),
      RenewLease: calls.handler(work.renewLease.bind(work)),
      GetJob: calls.handler(jobs.getJob.bind(jobs)),
      GetQueueStats: calls.handler(jobs.getQueueStats.bind(jobs)),
      StreamJobs: streams.handler('stream_jobs', this.streamJobs.serve.bind(this.streamJobs)),
      ProcessJobs: streams.handler('process_jobs', this.processJobs.serve.bind(this.processJobs)),
    });
    server.addService(workerService, {
      Register: calls.handler(workers.register.bind(workers)),
      Heartbeat: calls.handler(workers.heartbeat.bind(workers)),
      Deregister: calls.handler(workers.deregister.bind(workers)),
    });
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
    // HTTP/2 above hears of it too; without a listener of our own an early reset would end the process.
    socket.on('error', () => undefined);
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.leases.closed(connection);
    });
    this.injector?.injectConnection(socket);
  }

  private async disconnected(): Promise<void> {
    await Promise.all([...this.sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  }
}
