import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  compileCache,
  ensureFirstOrganization,
  freePort,
  planService,
  type ServiceName,
  type ServicePorts,
  type ServiceSpec,
  Supervisor,
  type SystemEnvironment,
} from '@spooled/local';
import { LogSecrets } from './log-secrets.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';
import { scrape } from './scrape.js';
import { defaultRedisMode, type RedisMode, startRedisIn } from './redis-mode.js';
import type { TestRedis } from './test-redis.js';

/** What specs read of a stack that runs, whether it is their own or the shared one of their Jest worker. */
export interface StackAddresses {
  /** REST addresses of the gateways. */
  readonly baseUrls: string[];
  /** The first of them. */
  readonly baseUrl: string;
  readonly grpcAddresses: string[];
  readonly adminKey: string;
  /** Key and id of an organization with the enterprise plan. */
  readonly apiKey: string;
  readonly organizationId: string;
  readonly databaseUrls: Omit<TestDatabase, 'drop'>;
  /** The services that this stack has, without engine and realtime in mode `none`. */
  readonly services: ServiceName[];
  /** The metrics of a process, as often as a test needs them. @throws Error when it does not respond with them */
  metrics(service: ServiceName, index?: number): Promise<string>;
}

export interface StackOptions {
  gateways?: number;
  engines?: number;
  schedulers?: number;
  webhooks?: number;
  realtime?: number;
  env?: NodeJS.ProcessEnv;
  /** Additional environment of one process, such as the addresses of its proxies. `baseUrl`: of the first gateway. */
  envOf?: (system: SystemEnvironment, service: ServiceName, index: number, baseUrl: string) => NodeJS.ProcessEnv;
  /** Default: one server, or what E2E_REDIS says. With `none` there are no engines and no realtime, and commands take the direct path. */
  redis?: RedisMode;
  /** Folder with other bundles below `dist`. Default: the checkout. */
  root?: string;
  /** An existing database, for example through a proxy; it is not dropped with the stack. */
  database?: TestDatabase;
  /** A stack whose database and Redis are used, so that the services of both serve the same tenants. It stops later than this one. */
  beside?: Stack;
}

/**
 * Of every stack, and of services in the process of a spec: a busy machine may stop PostgreSQL or a service for seconds, and the default
 * of 3 s would then answer 503 to a request of a spec about something else.
 */
export const patientTimeouts = { DATABASE_QUERY_TIMEOUT_MS: '20000' };
/** `env` for a spec in which PostgreSQL hangs or fails: after how long it counts as unavailable is the default of the services. */
export const defaultTimeouts: Record<keyof typeof patientTimeouts, undefined> = {
  DATABASE_QUERY_TIMEOUT_MS: undefined,
};

/** Signs the access tokens of every stack. */
export const jwtSecret = 'a secret that only this test stack knows';

/** Maximum log lines per process; older ones are dropped. */
const keptLines = 2_000;

/**
 * The built services as processes, with their own database and Redis, as `npm start` runs them, in any number.
 * Processes are named by kind and index from 0, such as `engine` 1. Call `stop` in `afterAll`.
 *
 * @throws Error with the last lines of the service that did not start
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const stack = await Stack.prepare(options);
  try {
    await stack.start();
  } catch (error) {
    await stack.stop();
    throw error;
  }
  return stack;
}

export class Stack implements StackAddresses {
  readonly baseUrls: string[];
  readonly grpcAddresses: string[];
  readonly adminKey: string;
  apiKey = '';
  organizationId = '';
  private readonly lines = new Map<string, string[]>();
  private readonly crashes: string[] = [];
  private readonly secrets: LogSecrets;
  private readonly supervisor: Supervisor;

  private constructor(
    readonly databaseUrls: TestDatabase,
    /** Null if the stack was started without Redis. */
    readonly redis: TestRedis | null,
    private readonly system: SystemEnvironment,
    private readonly ports: Record<ServiceName, ServicePorts[]>,
    private readonly options: StackOptions,
  ) {
    this.adminKey = system.adminApiKey;
    const { databaseUrl, databaseSystemUrl, redisUrl } = system;
    const passwords = [databaseUrl, databaseSystemUrl, redisUrl].map((url) => URL.parse(url ?? '')?.password);
    this.secrets = new LogSecrets([system.adminApiKey, system.jwtSecret, ...passwords]);
    this.baseUrls = ports.gateway.map(({ port }) => `http://127.0.0.1:${port}`);
    this.grpcAddresses = ports.gateway.map(({ grpcPort }) => `127.0.0.1:${grpcPort}`);
    this.supervisor = new Supervisor({
      restartCrashed: false,
      line: (name, line) => this.appendLine(name, line),
      crashed: (name, how) => {
        this.crashes.push(`${name} ${how}`);
        this.appendLine(name, `exited: ${how}`);
      },
    });
  }

  static async prepare(options: StackOptions): Promise<Stack> {
    const { gateways = 1, engines = 1, schedulers = 1, webhooks = 1, realtime = 1 } = options;
    const { redis: mode = defaultRedisMode() } = options;
    // Both read only from Redis; without it the gateway executes commands.
    const ofRedis = mode === 'none' ? { engine: 0, realtime: 0 } : { engine: engines, realtime };
    const counts = { gateway: gateways, ...ofRedis, scheduler: schedulers, webhooks };
    const { beside, database: existing = beside?.databaseUrls } = options;
    const database = existing ? { ...existing, drop: () => Promise.resolve() } : await createTestDatabase();
    const redis = beside ? beside.redis : await startRedisIn(mode);
    const system = {
      databaseUrl: database.appUrl,
      databaseSystemUrl: database.systemUrl,
      redisUrl: redis?.url ?? null,
      jwtSecret,
      adminApiKey: 'admin-key-of-this-test-stack',
      dataDir: mkdtempSync(join(tmpdir(), 'spooled-stack-')),
    };
    return new Stack(database, redis, system, await choosePorts(counts), options);
  }

  get baseUrl(): string {
    return this.baseUrls[0] ?? '';
  }

  get services(): ServiceName[] {
    return (Object.keys(this.ports) as ServiceName[]).filter((name) => this.ports[name].length > 0);
  }

  async start(): Promise<void> {
    const { appUrl: app, systemUrl: system } = this.databaseUrls;
    Object.assign(this, await ensureFirstOrganization({ app, system }, {}));
    const specs = Object.entries(this.ports).flatMap(([name, all]) =>
      all.map((_, index) => this.plan(name as ServiceName, index)),
    );
    try {
      await this.supervisor.start(specs);
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${this.lastLines()}`, { cause: error });
    }
  }

  /** Base URL of a process's operations port: `/metrics`, `/health/ready`. */
  metricsUrl(service: ServiceName, index = 0): string {
    return `http://127.0.0.1:${this.portsOf(service, index).metricsPort}`;
  }

  /** Those of all processes of a service. */
  metricsUrls(service: ServiceName): string[] {
    return this.ports[service].map((_, index) => this.metricsUrl(service, index));
  }

  metrics(service: ServiceName, index = 0): Promise<string> {
    return scrape(`${this.metricsUrl(service, index)}/metrics`);
  }

  /** URL of a process's HTTP server, if it has one. */
  serviceUrl(service: ServiceName, index = 0): string {
    return `http://127.0.0.1:${this.portsOf(service, index).port}`;
  }

  /** Log lines of a process so far, oldest first. */
  logs(service: ServiceName, index = 0): string[] {
    return this.lines.get(instanceName(service, index)) ?? [];
  }

  /** Processes that exited without being stopped, each with its exit code or signal. */
  get crashed(): readonly string[] {
    return this.crashes;
  }

  /** Sends a signal and waits for the exit of the process. */
  async kill(service: ServiceName, index = 0, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    await this.supervisor.service(instanceName(service, index)).kill(signal);
  }

  /** Pauses a process (SIGSTOP) until `resume`. */
  pause(service: ServiceName, index = 0): void {
    this.signal(service, index, 'SIGSTOP');
  }

  resume(service: ServiceName, index = 0): void {
    this.signal(service, index, 'SIGCONT');
  }

  /** Sends a signal that does not end the process. */
  signal(service: ServiceName, index: number, signal: NodeJS.Signals): void {
    process.kill(this.pidOf(service, index), signal);
  }

  /** Stops the process if it runs, and starts it on the same ports. Resolves when it is ready. */
  async restart(service: ServiceName, index = 0): Promise<void> {
    await this.supervisor.restart(instanceName(service, index));
  }

  /** Ends all processes in order, as an operator does. Stores stay. */
  async stopServices(withinMs: number): Promise<void> {
    await this.supervisor.stop(withinMs);
  }

  /** Its data goes with it, so nothing shuts down in order: that takes seconds. */
  /** @throws Error when a service has logged a credential */
  async stop(): Promise<void> {
    await this.supervisor.kill();
    await Promise.all([this.options.beside ? undefined : this.redis?.close(), this.databaseUrls.drop()]);
    rmSync(this.system.dataDir, { recursive: true, force: true });
    this.secrets.requireNone();
  }

  private plan(name: ServiceName, index: number): ServiceSpec {
    const { root = process.cwd(), env, envOf } = this.options;
    const proxied = { realtime: this.ports.realtime[0], webhooks: this.ports.webhooks[0] };
    const instance = instanceName(name, index);
    const ports = this.portsOf(name, index);
    // Compiling takes a fifth to a quarter of what the start of a service costs.
    const compiled = { NODE_COMPILE_CACHE: join(process.cwd(), compileCache) };
    const overrides = { ...patientTimeouts, ...compiled, ...env, ...envOf?.(this.system, name, index, this.baseUrl) };
    const spec = planService({ root, name, instance, ports, proxied, system: this.system, overrides });
    if (!existsSync(join(root, spec.script))) throw new Error(`${spec.script} is not built: run "npm run build" first`);
    return spec;
  }

  private pidOf(service: ServiceName, index: number): number {
    const { identity } = this.supervisor.service(instanceName(service, index));
    if (!identity) throw new Error(`${service} ${index} is not running`);
    return identity.pid;
  }

  private portsOf(service: ServiceName, index: number): ServicePorts {
    const found = this.ports[service][index];
    if (!found) throw new Error(`This stack has no ${service} ${index}`);
    return found;
  }

  private appendLine(name: string, line: string): void {
    const lines = this.lines.get(name) ?? [];
    this.lines.set(name, lines);
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    this.secrets.check(name, line);
  }

  private lastLines(): string {
    return [...this.lines].map(([name, lines]) => [`${name}:`, ...lines.slice(-8)].join('\n  ')).join('\n');
  }
}

const instanceName = (service: ServiceName, index: number): string => `${service}-${index}`;

async function choosePorts(counts: Record<ServiceName, number>): Promise<Record<ServiceName, ServicePorts[]>> {
  const entries = Object.entries(counts).map(async ([name, count]) => {
    const ports = Array.from({ length: count }, async () => ({
      host: '127.0.0.1',
      port: await freePort(),
      metricsPort: await freePort(),
      ...(name === 'gateway' ? { grpcPort: await freePort() } : {}),
    }));
    return [name, await Promise.all(ports)] as const;
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<ServiceName, ServicePorts[]>;
}
