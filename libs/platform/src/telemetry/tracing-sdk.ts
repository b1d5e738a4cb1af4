import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { diag, DiagLogLevel } from '@opentelemetry/api';
import type { SpanProcessor } from '@opentelemetry/sdk-trace';
import { within } from '../lifecycle/within.js';
import type { AppLogger } from '../log/logger.js';
import type { TelemetrySettings } from '../settings/process-settings.js';

export interface TelemetryOptions extends Partial<TelemetrySettings> {
  serviceName: string;
  version?: string;
  /** Where spans go in place of an OTLP collector; for tests. */
  spanProcessors?: SpanProcessor[];
}

export interface Telemetry {
  /** Sends what is still held back, at most 3 s; an unreachable collector must not hold up a stop. */
  shutdown(logger?: AppLogger): Promise<void>;
}

const flushLimitMs = 3_000;

async function automaticInstrumentations() {
  const [{ HttpInstrumentation }, { PgInstrumentation }, { IORedisInstrumentation }] = await Promise.all([
    import('@opentelemetry/instrumentation-http'),
    import('@opentelemetry/instrumentation-pg'),
    import('@opentelemetry/instrumentation-ioredis'),
  ]);
  return [
    // Incoming requests already have our own span, with the route's name.
    new HttpInstrumentation({ disableIncomingRequestInstrumentation: true }),
    new PgInstrumentation({ requireParentSpan: true }),
    new IORedisInstrumentation({ requireParentSpan: true }),
  ];
}

/**
 * The instrumentations patch a package when it is `require`d, and our ES modules have long imported theirs by now.
 * Both share one copy of the package, so requiring it once more is enough to have its prototypes patched.
 */
function patchLoadedPackages(): void {
  const require = createRequire(import.meta.url);
  for (const name of ['http', 'https', 'pg', 'ioredis']) require(name);
  createRequire(require.resolve('pg'))('pg-pool');
}

/**
 * Starts tracing, when a collector (or a span processor) is given; without one no SDK is loaded and every span below is
 * a no-op. Call it before anything else in the process.
 */
export async function startTelemetry(options: TelemetryOptions): Promise<Telemetry> {
  const endpoint = options.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (!endpoint && !options.spanProcessors) return { shutdown: async () => {} };
  const [{ NodeSDK, resources }, { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler }, otlp] =
    await Promise.all([
      import('@opentelemetry/sdk-node'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  const exporter = () => new otlp.OTLPTraceExporter({ url: `${endpoint?.replace(/\/+$/, '')}/v1/traces` });
  const sdk = new NodeSDK({
    serviceName: options.OTEL_SERVICE_NAME ?? options.serviceName,
    resource: resources.resourceFromAttributes({
      'service.version': options.version ?? 'unknown',
      'host.name': hostname(),
      'process.pid': process.pid,
    }),
    // OTEL_RESOURCE_ATTRIBUTES only: the other detectors hold spans back while they look around.
    resourceDetectors: [resources.envDetector],
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.OTEL_TRACES_SAMPLE_RATIO ?? 1) }),
    spanProcessors: options.spanProcessors ?? [new BatchSpanProcessor({ exporter: exporter() })],
    instrumentations: options.OTEL_AUTO_INSTRUMENTATION ? await automaticInstrumentations() : [],
    // Metrics and logs have their own ways out; an empty list also keeps the SDK from opening others by environment.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  if (options.OTEL_AUTO_INSTRUMENTATION) patchLoadedPackages();
  return { shutdown: async (logger) => flush(() => sdk.shutdown(), logger) };
}

async function flush(shutdown: () => Promise<void>, logger?: AppLogger): Promise<void> {
  try {
    await within(flushLimitMs, shutdown);
  } catch (err) {
    logger?.warn({ err }, 'the last spans were not sent');
  }
}

/** Sends the tracing SDK's own complaints, such as an unreachable collector, to the log. */
export function logTelemetryProblems(logger: AppLogger): void {
  const warn = (message: string, ...more: unknown[]) =>
    logger.warn({ details: more.map(String) }, `tracing: ${message}`);
  const quiet = () => {};
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
