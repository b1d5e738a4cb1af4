import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  createHttpApp,
  isProduction,
  type HttpAppOptions,
  type HttpSettings,
  type ServerSettings,
  type ServiceContext,
  type SettingsOf,
} from '@spooled/platform';
import type { corsSettings } from '../settings/http.settings.js';
import type { addressSettings } from '../settings/limit.settings.js';
import { healthBody } from './health-body.js';
import { warnOfIgnoredProxies } from './ignored-proxies.js';
import { addResponseHeaders, rejectUnroutable } from './response-headers.js';

type Settings = ServerSettings & HttpSettings & Partial<SettingsOf<typeof corsSettings & typeof addressSettings>>;

/** CORS: methods and headers for scripts of other origins. */
export interface CorsPolicy {
  methods: string[];
  allowedHeaders: string[];
  exposedHeaders: string[];
}

export interface HttpServiceOptions extends HttpAppOptions {
  /** Absent = no CORS. */
  cors?: CorsPolicy;
}

/** Creates an HTTP service with the common health body, response headers and CORS. */
export async function createHttpService(
  root: Type,
  service: ServiceContext<Settings>,
  { cors, ...options }: HttpServiceOptions,
): Promise<NestFastifyApplication> {
  service.answerHealthWith((report) => healthBody(report, service.version));
  const app = await createHttpApp(root, service, {
    rejectUnroutable,
    drainMs: service.settings.SHUTDOWN_DRAIN_SECS * 1_000,
    ...options,
  });
  const fastify = app.getHttpAdapter().getInstance();
  addResponseHeaders(fastify, service.settings);
  warnOfIgnoredProxies(fastify, service.settings, service.logger);
  if (cors) allowOrigins(app, service.settings, cors);
  return app;
}

/** Any origin in development; in production only CORS_ALLOWED_ORIGINS. */
function allowOrigins(app: NestFastifyApplication, settings: Settings, policy: CorsPolicy): void {
  const origin = isProduction(settings) ? [...(settings.CORS_ALLOWED_ORIGINS ?? [])] : true;
  app.enableCors({ ...policy, origin, maxAge: 600 });
}
