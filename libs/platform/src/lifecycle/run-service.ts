import { HealthChecks, type HealthReport } from '../health/health-checks.js';
import { createLogger, type AppLogger } from '../log/logger.js';
import { createMetrics, type MetricDeclarations, type Metrics } from '../metrics/metrics.js';
import { OperationsServer } from '../operations/operations-server.js';
import type { ServerSettings, TelemetrySettings } from '../settings/process-settings.js';
import {
  describeSettings,
  readSettings,
  SettingsError,
  type Declarations,
  type SettingsOf,
} from '../settings/settings.js';
import { logTelemetryProblems, startTelemetry, type Telemetry } from '../telemetry/tracing-sdk.js';
import { IdleMemory } from './idle-memory.js';
import { releaseMemory } from './release-memory.js';
import { Shutdown } from './shutdown.js';
import { RunningParts } from './running-parts.js';
import type { ServiceContext } from './service-context.js';
import { startProblem } from './start-problem.js';

export interface Service<D extends Declarations, M extends MetricDeclarations> {
  name: string;
  version?: string;
  /** All settings of the service; must include `serverSettings` and `telemetrySettings`. */
  settings: D;
  metrics: M;
  /** Starts the service; resolves when it is ready. Each part is registered with `onStop` when it starts. */
  start: (service: ServiceContext<SettingsOf<D>, Metrics<M>>) => Promise<void>;
}

type ProcessSettings = ServerSettings & TelemetrySettings;

/**
 * Runs a service as a process, from reading its settings to its exit. Every main.ts is one call of this.
 *
 * Start order: settings, tracing, logger, metrics, health, operations server, `start`. SIGTERM and SIGINT turn
 * readiness off and stop all parts in reverse order; after SHUTDOWN_TIMEOUT_SECS or a second signal the process exits by force.
 * With `--settings` it prints all settings and exits.
 * Exit codes: 0 after a clean shutdown, 1 for invalid settings, a failed start, an uncaught error or a forced exit.
 *
 * @example
 * // greeter.config.ts – every setting of the service, each declared once
 * export const greeterSettings = {
 *   ...serverSettings,
 *   ...telemetrySettings,
 *   PORT: setting(port().default(8080), 'Port of the public API.'),
 * };
 * export type GreeterSettings = SettingsOf<typeof greeterSettings>;
 *
 * // greeter.module.ts – classes inject AppLogger and HealthChecks by type, the others by token
 * @Injectable()
 * class Greeter {
 *   constructor(
 *     private readonly logger: AppLogger,
 *     @Inject(SETTINGS) private readonly settings: GreeterSettings,
 *     @Inject(METRICS) private readonly metrics: Metrics<typeof greeterMetrics>,
 *   ) {}
 * }
 * @Module({ controllers: [GreeterController], providers: [Greeter] })
 * export class GreeterModule {}
 *
 * // main.ts
 * await runService({
 *   name: 'greeter',
 *   settings: greeterSettings,
 *   metrics: greeterMetrics,
 *   start: async (service) => {
 *     const app = await createHttpApp(GreeterModule, service, { bodyLimitBytes: 5 * 1024 * 1024 });
 *     service.onStop('http', () => app.close());
 *     await listenHttp(app, service.settings.PORT, service.settings.HOST);
 *   },
 * });
 *
 * // without HTTP:      NestFactory.createApplicationContext(withPlatform(GreeterModule, service), nestOptions(service))
 * // with a strategy:   NestFactory.createMicroservice<AsyncMicroserviceOptions>(withPlatform(GreeterModule, service), {
 * //   ...nestOptions(service), inject: [MyServer], useFactory: (strategy: MyServer) => ({ strategy }) })
 */
export async function runService<D extends Declarations, M extends MetricDeclarations>(
  service: Service<D, M>,
): Promise<void> {
  if (process.argv.includes('--settings')) return printSettings(service.settings);
  const settings = readSettingsOrExit(service.name, service.settings);
  const processSettings = settings as unknown as ProcessSettings;
  // Replaced by the package's version when bundling.
  const version = service.version ?? process.env.SPOOLED_VERSION ?? 'unknown';
  const telemetry = await startTelemetry({ ...processSettings, serviceName: service.name, version });
  const logger = createLogger({
    service: service.name,
    level: processSettings.LOG_LEVEL,
    json: processSettings.JSON_LOGS,
  });
  logTelemetryProblems(logger);
  await new ServiceProcess(service, settings, version, logger, telemetry).run();
}

/** Prints all settings: `node dist/apps/<name>/main.js --settings`. */
function printSettings(declarations: Declarations): void {
  process.stdout.write(`${JSON.stringify(describeSettings(declarations), null, 2)}\n`);
}

function readSettingsOrExit<D extends Declarations>(name: string, declarations: D): SettingsOf<D> {
  try {
    return readSettings(declarations);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${name} cannot start. ${error.message}\n`);
    process.exit(1);
  }
}

class ServiceProcess<D extends Declarations, M extends MetricDeclarations> {
  private readonly parts = new RunningParts();
  private readonly abort = new AbortController();
  private readonly end: Shutdown;
  private readonly context: ServiceContext<SettingsOf<D>, Metrics<M>>;
  private healthBody: (report: HealthReport) => unknown = (report) => report;
  private startSettled: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly service: Service<D, M>,
    settings: SettingsOf<D>,
    version: string,
    private readonly logger: AppLogger,
    private readonly telemetry: Telemetry,
  ) {
    const onError = (metric: string, err: unknown) => logger.warn({ metric, err }, 'a gauge could not be read');
    this.context = {
      name: service.name,
      version,
      settings,
      logger,
      metrics: createMetrics(service.metrics, { onError }),
      health: new HealthChecks(logger),
      stopping: this.abort.signal,
      onStop: (part, stop) => this.parts.add(part, stop),
      answerHealthWith: (body) => {
        this.healthBody = body;
      },
    };
    this.end = new Shutdown({
      logger,
      timeoutMs: this.processSettings.SHUTDOWN_TIMEOUT_SECS * 1_000,
      stop: () => this.stop(),
      currentPart: () => this.parts.currentlyStopping,
    });
  }

  private get processSettings(): ProcessSettings {
    return this.context.settings as unknown as ProcessSettings;
  }

  async run(): Promise<void> {
    this.end.watch();
    const start = this.start();
    this.startSettled = start.catch(() => {});
    try {
      await start;
    } catch (error) {
      const reason = startProblem(error, this.context.settings);
      if (reason === undefined) this.end.fail(`${this.service.name} could not start`, error);
      else this.end.refuse(`${this.service.name} cannot start`, reason);
    }
  }

  private async start(): Promise<void> {
    const { health, version } = this.context;
    health.starting = true;
    const metricsPort = await this.startOperations();
    await this.service.start(this.context);
    this.releaseWhenIdle();
    health.starting = false;
    if (!this.abort.signal.aborted) this.logger.info({ version, metrics_port: metricsPort }, 'started');
  }

  /** The garbage of the start, and of each load, until the service stops. */
  private releaseWhenIdle(): void {
    const memory = new IdleMemory(() => releaseMemory(this.logger));
    const timer = setInterval(() => void memory.afterMinute(), 60_000).unref();
    this.abort.signal.addEventListener('abort', () => clearInterval(timer));
  }

  private async startOperations(): Promise<number> {
    const { metrics, health } = this.context;
    const server = new OperationsServer({
      host: this.processSettings.HOST,
      port: this.processSettings.METRICS_PORT,
      metricsToken: this.processSettings.METRICS_TOKEN,
      metrics,
      health,
      healthBody: (report) => this.healthBody(report),
      logger: this.logger,
    });
    const port = await server.start();
    this.parts.add('operations server', () => server.stop());
    return port;
  }

  /** Turns readiness off, then stops the parts in reverse order, tracing last. Waits for a start in progress. */
  private async stop(): Promise<boolean> {
    this.context.health.draining = true;
    this.abort.abort();
    await this.startSettled;
    const clean = await this.parts.stopAll(this.logger);
    await this.telemetry.shutdown(this.logger);
    return clean;
  }
}
