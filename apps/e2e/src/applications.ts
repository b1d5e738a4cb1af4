import { EmbeddedSpooled } from '@spooled/embedded';
import { type Job, type NewJob, type QueueHandlers, Spooled, Worker, type WorkerOptions } from '@spooled/sdk';
import type { StackAddresses } from '@spooled/testing';
import { startOlderGrpcServer } from './older-grpc-server.js';

/** Every way in which an application can run jobs. `grpc-streams` is gRPC as the published SDKs use it. */
export const transports = ['rest', 'grpc-batches', 'grpc-streams', 'embedded'] as const;
export type Transport = (typeof transports)[number];

/** What a producer can do over every transport. */
interface Producer {
  create(job: NewJob): Promise<{ id: string; created: boolean }>;
  createMany(jobs: {
    queueName: string;
    jobs: { payload: { n: number } }[];
  }): Promise<{ succeeded: { jobId: string }[] }>;
  get(id: string): Promise<Job>;
  cancel(id: string): Promise<void>;
  requestCancellation: Spooled['jobs']['requestCancellation'];
  retry(id: string): Promise<{ id: string; status: string; retryCount: number }>;
  logs: Spooled['jobs']['logs'];
  signal(id: string, signal: { step: string; payload: object }): Promise<{ resumed: boolean }>;
}

type Batches = Pick<Spooled['batches'], 'create' | 'add' | 'close' | 'cancel' | 'list' | 'get' | 'jobs'>;

type Handlers = Record<string, QueueHandlers>;
type Options = Omit<WorkerOptions, 'queues' | 'transport'>;

/** An application with a producer and workers over one transport. */
export class Application {
  private readonly workers: Worker[] = [];

  private constructor(
    readonly jobs: Producer,
    readonly batches: Batches,
    private readonly newWorker: (queues: Handlers, options: Options) => Worker,
    private readonly disconnect: () => Promise<void>,
  ) {}

  /** @param apiKey of the organization; default: the first organization of the stack */
  static async open(
    stack: StackAddresses,
    transport: Transport,
    { apiKey = stack.apiKey, organizationId = stack.organizationId } = {},
  ): Promise<Application> {
    if (transport === 'embedded') return Application.openEmbedded(stack, organizationId);
    const older = transport === 'grpc-streams' ? await startOlderGrpcServer(stack.grpcAddresses[0]!) : undefined;
    const grpcAddress = older?.address ?? stack.grpcAddresses[0];
    const client = new Spooled({ baseUrl: stack.baseUrl, apiKey, grpcAddress });
    return new Application(
      client.jobs,
      client.batches,
      (queues, options) =>
        new Worker(client, { transport: transport === 'rest' ? 'rest' : 'grpc', queues, ...options }),
      async () => older?.stop(),
    );
  }

  private static async openEmbedded({ databaseUrls }: StackAddresses, organization: string): Promise<Application> {
    const { appUrl: databaseUrl, systemUrl } = databaseUrls;
    const embedded = await EmbeddedSpooled.open({ databaseUrl, systemUrl, organization });
    return new Application(
      embedded.jobs,
      embedded.batches,
      (queues, options) => embedded.worker(queues, options),
      () => embedded.close(0),
    );
  }

  /** A started worker that polls often, where it has to poll. */
  async startWorker(queues: Handlers, options: Options = {}): Promise<Worker> {
    const worker = this.newWorker(queues, { pollIntervalMs: 50, ...options });
    this.workers.push(worker);
    await worker.start();
    return worker;
  }

  async stopWorkers(): Promise<void> {
    await Promise.all(this.workers.splice(0).map((worker) => worker.stop(0)));
  }

  async close(): Promise<void> {
    await this.stopWorkers();
    await this.disconnect();
  }
}
