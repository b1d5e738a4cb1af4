import { z } from 'zod';
import { flag, integer, port, ratio, secret, url } from './kinds.js';
import { alsoNamed, setting, type SettingsOf } from './settings.js';

/** Settings of every process. */
export const serverSettings = {
  HOST: setting(z.string().default('0.0.0.0'), 'Address that all listeners bind to.'),
  METRICS_PORT: setting(port().default(9090), 'Port for /metrics and /health of this process.'),
  METRICS_TOKEN: setting(
    secret().optional(),
    'If set, /metrics requires `Authorization: Bearer <METRICS_TOKEN>` on every port. Unset = in production the gateway serves metrics only on METRICS_PORT, without authentication.',
  ),
  JSON_LOGS: setting(flag().default(true), 'One JSON object per log line; false = readable text.'),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    'Minimum severity of log lines.',
  ),
  SHUTDOWN_TIMEOUT_SECS: setting(
    integer({ min: 1, max: 3600 }).default(10),
    'Seconds that a shutdown may take before the process exits by force with code 1.',
  ),
  SPOOLED_ENV: alsoNamed(
    'RUST_ENV',
    setting(z.enum(['production', 'staging', 'development']).default('production'), 'Kind of deployment.'),
  ),
};

/** Settings of every HTTP server. */
export const httpSettings = {
  PORT: setting(port().default(8080), 'Port of the HTTP server.'),
  SHUTDOWN_DRAIN_SECS: setting(
    integer({ min: 0, max: 600 }).default(3),
    'Seconds that a stopping server still answers callers with open connections, while it asks them to open new ones elsewhere. Less than SHUTDOWN_TIMEOUT_SECS.',
  ),
  ENABLE_HSTS: setting(flag().default(false), 'Tell browsers to use HTTPS only.'),
  HTTP_MAX_BODY_BYTES_IN_FLIGHT: setting(
    integer({ min: 0 }).default(134_217_728),
    'Maximum bytes of request bodies in memory per process; further requests get 503. 0 = unlimited.',
  ),
};

/** Settings of every server that takes gRPC calls. */
export const rpcSettings = {
  GRPC_PORT: setting(port().default(50_051), 'Port of the gRPC server.'),
};

export const telemetrySettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    url(/^https?$/).optional(),
    'OTLP/HTTP base URL of a trace collector, such as http://collector:4318. Unset = tracing is off.',
  ),
  OTEL_SERVICE_NAME: setting(z.string().optional(), 'Service name in traces; unset = the name of the process.'),
  OTEL_TRACES_SAMPLE_RATIO: setting(
    ratio().default(1),
    'Share of new traces that are recorded. A caller that brings a trace context has already decided.',
  ),
  OTEL_AUTO_INSTRUMENTATION: setting(
    flag().default(false),
    'Also trace every HTTP, PostgreSQL and Redis call. Costs about two thirds of the request rate.',
  ),
};

export type ServerSettings = SettingsOf<typeof serverSettings>;
export type HttpSettings = SettingsOf<typeof httpSettings>;
export type TelemetrySettings = SettingsOf<typeof telemetrySettings>;

export const isProduction = ({ SPOOLED_ENV }: Pick<ServerSettings, 'SPOOLED_ENV'>): boolean =>
  SPOOLED_ENV === 'production';
