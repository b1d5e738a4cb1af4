import { createRequire } from 'node:module';
import { hostname } from 'node:os';
import { diag, DiagLogLevel, trace } from '@opentelemetry/api';
import type { SpanProcessor } from '@opentelemetry/sdk-trace';
import { within } from '../lifecycle/within.js';
import type { AppLogger } from '../log/logger.js';
import type { TelemetrySettings } from '../settings/process-settings.js';
import { renewTracer } from './spans.js';

export interface TelemetryOptions extends Partial<TelemetrySettings> {
  serviceName: string;
  version?: string;
  /** Receives spans instead of an OTLP collector; for tests. */
  spanProcessors?: SpanProcessor[];
}

export interface Telemetry {
  /** Sends buffered spans, at most 3 s, because a collector may be unreachable. Later spans are no-ops. */
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
    // Incoming requests already have a span with the route's name.
    new HttpInstrumentation({ disableIncomingRequestInstrumentation: true }),
    new PgInstrumentation({ requireParentSpan: true }),
    new IORedisInstrumentation({ requireParentSpan: true }),
  ];
}

/**
 * Instrumentations patch a package when it is `require`d, but the ES modules have imported theirs before. Both share one copy of the
 * package, so a `require` here patches its prototypes.
 */
function patchLoadedPackages(): void {
  const require = createRequire(import.meta.url);
  for (const name of ['http', 'https', 'pg', 'ioredis']) require(name);
  createRequire(require.resolve('pg'))('pg-pool');
}

/**
 * Starts tracing if a collector or span processor is given; otherwise no SDK is loaded and spans are no-ops. Call it before anything
 * else in the process.
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
    // OTEL_RESOURCE_ATTRIBUTES only: the other detectors delay spans.
    resourceDetectors: [resources.envDetector],
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.OTEL_TRACES_SAMPLE_RATIO ?? 1) }),
    spanProcessors: options.spanProcessors ?? [new BatchSpanProcessor({ exporter: exporter() })],
    instrumentations: options.OTEL_AUTO_INSTRUMENTATION ? await automaticInstrumentations() : [],
    // Metrics and logs are exported otherwise; empty lists keep the SDK from configuring exporters from the environment.
    metricReaders: [],
    logRecordProcessors: [],
  });
  sdk.start();
  renewTracer();
  if (options.OTEL_AUTO_INSTRUMENTATION) patchLoadedPackages();
  const shutdown = async (logger?: AppLogger) => {
    await flush(() => sdk.shutdown(), logger);
    trace.disable();
    renewTracer();
  };
  return { shutdown };
}

async function flush(shutdown: () => Promise<void>, logger?: AppLogger): Promise<void> {
  try {
    await within(flushLimitMs, shutdown);
  } catch (err) {
    logger?.warn({ err }, 'the last spans were not sent');
  }
}

/** Logs errors of the tracing SDK, such as an unreachable collector. */
export function logTelemetryProblems(logger: AppLogger): void {
  const warn = (message: string, ...more: unknown[]) =>
    logger.warn({ details: more.map(String) }, `tracing: ${message}`);
  const quiet = () => {};
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
