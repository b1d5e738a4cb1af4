import { lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { databaseSources, isTransactionConflict, migrate } from '@spooled/data-access';
import {
  type DatabaseUrls,
  embeddedDatabase,
  ensureFirstOrganization,
  freePort,
  keptSecrets,
  planService,
  type Provided,
  provideRedis,
  readLocalSettings,
  type ServiceName,
  serviceNames,
  type ServicePorts,
  type ServiceSpec,
  Supervisor,
} from '@spooled/local';
import pg from 'pg';
import { CostMeter } from '../measure/cost-meter.js';
import type { Terminal } from '@spooled/local';
import type { Settings } from '../report.js';
import emptyJobs from './empty-jobs.sql';
import { describeStores } from './store-settings.js';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Non-default settings: rate limits that the bench cannot reach (the enterprise plan allows 500 requests per second). They are
 * still checked on every request.
 */
const environment = {
  SPOOLED_PLAN_ENTERPRISE_RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
  SPOOLED_PLAN_ENTERPRISE_RATE_LIMIT_BURST: '1000000',
  RATE_LIMIT_REQUESTS_PER_SECOND: '1000000',
  RATE_LIMIT_BURST_SIZE: '1000000',
};

/** The services as `npm start` runs them, with their own PostgreSQL and Redis. The services log to files. */
export class BenchStack {
  /** Of the organization that the scenarios use (enterprise plan). */
  apiKey = '';
  organizationId = '';
  redisUrl = '';
  dataDir = '';
  urls!: DatabaseUrls;
  meter!: CostMeter;
  /** Bypasses row-level security; fills and empties tables, and creates the floor. */
  superuser!: pg.Pool;
  /** Versions, durability, replicas and other settings, printed with the results. */
  settings: Settings = {};
  readonly ports = {} as Record<ServiceName, ServicePorts>;
  private planOf!: (service: { name: ServiceName; instance?: string }, ports: ServicePorts) => ServiceSpec;
  private readonly supervisor: Supervisor;
  private readonly stores: Provided<unknown>[] = [];
  private starting: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | null = null;

  /** @param options.otherPids - processes of another server, whose CPU time is metered as well */
  constructor(
    private readonly root: string,
    private readonly options: { keep: boolean; otherPids: number[]; terminal: Terminal },
  ) {
    const { say } = options.terminal;
    this.supervisor = new Supervisor({
      restartCrashed: false,
      line: (name, line) => say(`${name}: ${line}`),
      crashed: (name, how) => say(`${name} exited (${how}): its log is in ${this.dataDir}/logs`),
    });
  }

  /** @throws Error when a part does not start; the parts already started are stopped */
  async start(): Promise<void> {
    this.dataDir = makeDataFolder(this.root);
    this.starting = this.startAll();
    try {
      await this.starting;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.ports.gateway.port}`;
  }

  get grpcAddress(): string {
    return `127.0.0.1:${this.ports.gateway.grpcPort}`;
  }

  get superuserUrl(): string {
    const url = new URL(this.urls.owner);
    url.username = 'postgres';
    url.password = keptSecrets(this.dataDir).postgresPassword;
    return url.href;
  }

  /** Process ids of the services. */
  get services(): Record<ServiceName, number> {
    const ids = serviceNames.map((name) => [name, this.supervisor.service(name).identity?.pid ?? 0]);
    return Object.fromEntries(ids) as Record<ServiceName, number>;
  }

  /** Stops one service until `restartService`. */
  async stopService(name: ServiceName): Promise<void> {
    await this.supervisor.service(name).stop(5_000);
  }

  /** Starts a service again and waits until it is ready. Its CPU time is no longer metered. */
  async restartService(name: ServiceName): Promise<void> {
    await this.supervisor.restart(name);
  }

  /**
   * Starts a further process of a service, whose CPU time is metered, and waits until it is ready.
   * @param instance - its name, such as `engine-2`
   */
  async addReplica(name: 'engine' | 'gateway', instance: string): Promise<{ baseUrl: string; pid: number }> {
    const ports = await choosePorts(name === 'gateway');
    await this.supervisor.start([this.planOf({ name, instance }, ports)]);
    const pid = this.supervisor.service(instance).identity?.pid ?? 0;
    this.meter.watch(instance, pid);
    return { baseUrl: `http://127.0.0.1:${ports.port}`, pid };
  }

  /** Stops a process that `addReplica` has started. */
  async removeReplica(instance: string): Promise<void> {
    this.meter.forget(instance);
    await this.supervisor.service(instance).stop(5_000);
  }

  /** Empties the job tables and runs a checkpoint, so that every scenario starts from the same state. */
  async empty(): Promise<void> {
    await this.truncateJobs();
    await this.superuser.query('CHECKPOINT');
  }

  /** Tasks of the scheduler read these tables in other orders meanwhile, so this may be what a deadlock ends. */
  private async truncateJobs(): Promise<void> {
    await this.superuser.query(emptyJobs).catch((error: unknown) => {
      if (!isTransactionConflict(error)) throw error;
      return this.truncateJobs();
    });
  }

  /** The result of a query for one number, asked as superuser. */
  async number(text: string, values: unknown[] = []): Promise<number> {
    const { rows } = await this.superuser.query<[unknown]>({ text, values, rowMode: 'array' });
    return Number(rows[0]?.[0]);
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  private async startAll(): Promise<void> {
    await this.startStores();
    this.throwIfStopping();
    await this.prepareDatabase();
    this.throwIfStopping();
    await this.startServices();
  }

  /** Called between the steps of the start. */
  private throwIfStopping(): void {
    if (this.stopping) throw new Error('stopped before it was ready');
  }

  private async startStores(): Promise<void> {
    const { dataDir } = this;
    const { say } = this.options.terminal;
    const secrets = keptSecrets(dataDir);
    const { postgresSettings } = readLocalSettings(this.root);
    const database = await embeddedDatabase({ dataDir, postgresSettings }, secrets, say);
    this.stores.push(database);
    this.urls = database.urls;
    this.throwIfStopping();
    // Ignores a configured Redis: the bench uses its own.
    const redis = await provideRedis(dataDir, {}, secrets, say);
    this.stores.push(redis);
    if (!redis.urls) throw new Error('The bench requires redis-server or valkey-server in PATH');
    this.redisUrl = redis.urls;
  }

  private async prepareDatabase(): Promise<void> {
    const { owner, app, system, passwords } = this.urls;
    await migrate(owner, {
      ...databaseSources(this.root),
      appPassword: passwords?.app,
      systemPassword: passwords?.system,
    });
    Object.assign(this, await ensureFirstOrganization({ app, system }, {}));
    this.superuser = new pg.Pool({ connectionString: this.superuserUrl, max: 4, application_name: 'bench' });
    this.superuser.on('error', () => undefined);
  }

  private async startServices(): Promise<void> {
    const { root, dataDir, ports, urls } = this;
    for (const name of serviceNames) ports[name] = await choosePorts(name === 'gateway');
    const { jwtSecret, adminApiKey } = keptSecrets(dataDir);
    const { app: databaseUrl, system: databaseSystemUrl } = urls;
    const system = { databaseUrl, databaseSystemUrl, redisUrl: this.redisUrl, jwtSecret, adminApiKey, dataDir };
    const logs = join(dataDir, 'logs');
    mkdirSync(logs, { recursive: true });
    this.planOf = (service, its) => ({
      ...planService({ root, ...service, ports: its, proxied: ports, system, overrides: environment }),
      logFile: join(logs, `${service.instance ?? service.name}.log`),
    });
    const specs = serviceNames.map((name) => this.planOf({ name }, ports[name]));
    const inherited = await inheritedSettings(specs, process.env);
    this.throwIfStopping();
    await this.supervisor.start(specs);
    const [postgres, redis] = this.stores.map((store) => store.process?.pid ?? 0) as [number, number];
    const others = Object.fromEntries(this.options.otherPids.map((pid) => [`other ${pid}`, pid]));
    const processes = { services: { ...this.services, ...others }, postgres, redis };
    this.meter = await CostMeter.open(processes, { superuser: this.superuserUrl, redis: this.redisUrl });
    const replicas = Object.fromEntries(serviceNames.map((name) => [`${name} replicas`, 1]));
    this.settings = {
      ...(await describeStores(this.superuser, this.redisUrl)),
      ...replicas,
      ...inherited,
      ...environment,
    };
  }

  private async stopAll(): Promise<void> {
    await this.meter?.close();
    await this.supervisor.stop(7_500);
    // A step of the start may still be running; what it starts must be stopped too.
    await this.starting.catch(() => undefined);
    // Not awaited: an interrupted scenario may hold a connection, which closes when the server stops.
    void this.superuser?.end();
    await Promise.all(this.stores.map((store) => store.stop()));
    const { keep, terminal } = this.options;
    if (keep) terminal.say(`data and logs of the stack: ${this.dataDir}`);
    else removeDataFolder(this.dataDir);
  }
}

async function choosePorts(hasGrpc: boolean): Promise<ServicePorts> {
  const ports = { host: '127.0.0.1', port: await freePort(), metricsPort: await freePort() };
  return hasGrpc ? { ...ports, grpcPort: await freePort() } : ports;
}

const run = promisify(execFile);

/** Settings of the services that are set in the environment, which the services inherit as with `npm start`. */
async function inheritedSettings(specs: ServiceSpec[], environment: NodeJS.ProcessEnv): Promise<Settings> {
  const found = await Promise.all(specs.map((spec) => inherited(spec, environment)));
  return Object.assign({}, ...found) as Settings;
}

async function inherited({ cwd, script, env }: ServiceSpec, environment: NodeJS.ProcessEnv): Promise<Settings> {
  const { stdout } = await run(process.execPath, [join(cwd, script), '--settings'], { cwd });
  const names = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
  const set = names.filter((name) => environment[name] !== undefined && env[name] === environment[name]);
  return Object.fromEntries(set.map((name) => [name, environment[name]!]));
}

/** Creates a folder on the disk of the checkout: a temporary folder may be in memory, where fsync costs nothing. */
function makeDataFolder(root: string): string {
  const parent = join(root, '.data/bench');
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'stack-'));
}

/** Removes the folder, and the database if the launcher placed it outside and linked to it. */
function removeDataFolder(folder: string): void {
  const database = join(folder, 'postgres');
  if (lstatSync(database, { throwIfNoEntry: false })?.isSymbolicLink()) {
    rmSync(readlinkSync(database), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}
