import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseSources, migrate } from '@spooled/data-access';
import { consoleLink } from './console-link.js';
import { type FirstOrganization, ensureFirstOrganization } from './first-organization.js';
import { recordProcesses, releaseDataDir } from './launcher-record.js';
import { addressesOf, type LocalSettings, requireFreePorts } from './local-settings.js';
import { LogFiles, readableLine } from './log-lines.js';
import { keptPort } from './ports.js';
import { keepSecrets, keptSecrets, type Secrets } from './secrets.js';
import { onStopSignals } from './stop-signals.js';
import { planService, type ServiceName, serviceNames, type ServicePorts } from './service-plan.js';
import type { ServiceSpec } from './service-process.js';
import { StoreProcess } from './store-process.js';
import { type DatabaseUrls, embeddedDatabase, externalDatabase, type Provided, provideRedis } from './stores.js';
import { printSummary } from './summary.js';
import { Supervisor } from './supervisor.js';

/** Shows progress; the bootstrap scripts use the same interface. */
export interface Terminal {
  say(line: string): void;
  step<T>(text: string, work: () => T | Promise<T>): Promise<T>;
}

/** Time for the services to stop; PostgreSQL and Redis get the rest of the ten seconds. */
const servicesStopWithinMs = 7_500;

/** Migrates schema and functions to the state of the checkout. */
export async function migrateDatabase(
  root: string,
  { owner, ownerSetting, passwords }: DatabaseUrls,
  terminal: Terminal,
): Promise<void> {
  const { applied, installed } = await terminal.step('migrating the database', () =>
    migrate(owner, {
      ...databaseSources(root),
      urlName: ownerSetting,
      appPassword: passwords?.app,
      systemPassword: passwords?.system,
      onStep: terminal.say,
    }),
  );
  if (applied.length) terminal.say(`migrations applied: ${applied.length}`);
  if (installed.length) terminal.say(`database functions installed: ${installed.length}`);
}

/** PostgreSQL, Redis, services and their addresses in one DATA_DIR. */
export class LocalSystem {
  private readonly secrets: Secrets;
  private readonly logs: LogFiles;
  private readonly supervisor: Supervisor;
  private readonly stores: { stop(): Promise<void> }[] = [];
  private starting: Promise<void> = Promise.resolve();
  private stopping: Promise<void> | null = null;

  constructor(
    private readonly root: string,
    private readonly settings: LocalSettings,
    private readonly terminal: Terminal,
  ) {
    const { dataDir } = settings;
    this.secrets = keptSecrets(dataDir);
    this.logs = new LogFiles(join(dataDir, 'logs'));
    this.supervisor = new Supervisor({
      restartCrashed: true,
      line: (name, line) => this.showLine(name, line),
      crashed: (name, how, waitMs) => terminal.say(`${name} exited (${how}); restarting it in ${waitMs} ms`),
      processes: (services) => recordProcesses(dataDir, services),
    });
  }

  start(): Promise<void> {
    this.starting = this.startAll();
    return this.starting;
  }

  /** Restarts services. @param bundles that have changed; those of no service here, such as the console's server, are left out */
  async restart(bundles: string[]): Promise<void> {
    const names = serviceNames.filter((name) => bundles.includes(name));
    if (names.length === 0) return;
    await this.terminal.step(`restarting ${names.join(', ')}`, () =>
      Promise.all(names.map((name) => this.supervisor.restart(name))),
    );
  }

  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  stopOnSignals(): void {
    onStopSignals(
      (signal) => this.stopAndExit(`${signal} (repeat to stop at once)`, 0),
      () => void this.supervisor.kill(),
    );
  }

  /** Stops everything and ends this process. */
  stopAndExit(reason: string, code: number): void {
    this.terminal.say(`\n${reason}: stopping`);
    this.stop().then(
      () => {
        this.terminal.say('all processes stopped');
        process.exit(code);
      },
      (error: Error) => {
        this.terminal.say(`could not stop cleanly: ${error.message}`);
        process.exit(1);
      },
    );
  }

  private async startAll(): Promise<void> {
    const { terminal, settings } = this;
    await requireFreePorts(settings);
    const database = await this.startDatabase();
    this.goOn();
    const redis = await this.startRedis();
    this.goOn();
    await migrateDatabase(this.root, database.urls, terminal);
    const organization = await terminal.step('preparing the first organization', () =>
      this.firstOrganization(database.urls),
    );
    const specs = await this.planServices(database.urls, redis.urls);
    this.goOn();
    await terminal.step(`starting ${specs.map(({ name }) => name).join(', ')}`, () => this.supervisor.start(specs));
    this.noteAddresses();
    const console = await consoleLink(addressesOf(settings).baseUrl, organization.apiKey);
    printSummary(settings, organization, { console, database: database.described, redis: redis.described });
  }

  /** Between two steps of the start: fails if a stop was requested in the meantime. */
  private goOn(): void {
    if (this.stopping) throw new Error('stopped before it was ready');
  }

  private async startDatabase(): Promise<Provided<DatabaseUrls>> {
    const { terminal, secrets, settings } = this;
    const database =
      externalDatabase(process.env, secrets) ??
      (await terminal.step('starting PostgreSQL', () => embeddedDatabase(settings, secrets, terminal.say)));
    this.keepRunning('PostgreSQL', database);
    return database;
  }

  private async startRedis(): Promise<Provided<string | null>> {
    const { terminal, settings, secrets } = this;
    const redis = await terminal.step('starting Redis', () =>
      provideRedis(settings.dataDir, process.env, secrets, terminal.say),
    );
    this.keepRunning('Redis', redis);
    return redis;
  }

  /** Restarts our PostgreSQL or Redis when it exits; if that fails, the whole system stops. */
  private keepRunning(name: string, store: Provided<unknown>): void {
    const { process, restart } = store;
    if (!process || !restart) return void this.stores.push(store);
    const { say } = this.terminal;
    const watcher = {
      crashed: (how: string, waitMs: number) => say(`${name} ${how}; restarting it in ${waitMs} ms`),
      restarted: () => say(`${name} is running again`),
      lost: (how: string) =>
        this.stopAndExit(`${name} cannot be restarted (${how}); its data is in ${this.settings.dataDir}`, 1),
    };
    this.stores.push(new StoreProcess({ process, stop: () => store.stop() }, restart, watcher));
  }

  private async firstOrganization({ app, system }: DatabaseUrls): Promise<FirstOrganization> {
    const first = await ensureFirstOrganization({ app, system }, this.secrets);
    keepSecrets(this.settings.dataDir, Object.assign(this.secrets, first));
    return first;
  }

  private async planServices(urls: DatabaseUrls, redisUrl: string | null): Promise<ServiceSpec[]> {
    const { dataDir, host, port, grpcPort, metricsPort } = this.settings;
    const free = (use: string): Promise<number> => keptPort(join(dataDir, 'ports', use));
    const ports = {} as Record<ServiceName, ServicePorts>;
    for (const name of serviceNames) {
      ports[name] =
        name === 'gateway'
          ? { host, port, metricsPort, grpcPort }
          : { host: '127.0.0.1', port: await free(name), metricsPort: await free(`${name}-metrics`) };
    }
    const { jwtSecret, adminApiKey } = this.secrets;
    const system = {
      databaseUrl: urls.app,
      databaseSystemUrl: urls.system,
      redisUrl,
      jwtSecret: process.env.JWT_SECRET || jwtSecret,
      adminApiKey: process.env.ADMIN_API_KEY || adminApiKey,
      dataDir,
    };
    // An engine reads its commands from Redis; without Redis the gateway executes them itself.
    const names = serviceNames.filter((name) => name !== 'engine' || redisUrl !== null);
    return names.map((name) =>
      planService({
        root: this.root,
        name,
        ports: ports[name],
        proxied: ports,
        system,
        inspect: name === this.settings.inspect,
      }),
    );
  }

  private showLine(name: string, line: string): void {
    this.logs.append(name, line);
    this.terminal.say(readableLine(name, line, Boolean(process.stdout.isTTY && !process.env.NO_COLOR)));
  }

  /** Where `npm run demo` and other scripts find the running system. */
  private get addressFile(): string {
    return join(this.settings.dataDir, 'running.json');
  }

  private noteAddresses(): void {
    writeFileSync(this.addressFile, `${JSON.stringify(addressesOf(this.settings), null, 2)}\n`);
  }

  private async stopAll(): Promise<void> {
    await this.supervisor.stop(servicesStopWithinMs);
    // A step of the start may still be running; what it started must be stopped as well.
    await this.starting.catch(() => undefined);
    await Promise.all(this.stores.map((store) => store.stop()));
    this.logs.close();
    rmSync(this.addressFile, { force: true });
    releaseDataDir(this.settings.dataDir);
  }
}
