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
import { healthBody } from './health-body.js';
import { addResponseHeaders, rejectUnroutable } from './response-headers.js';

type Settings = ServerSettings & HttpSettings & Partial<SettingsOf<typeof corsSettings>>;

/** What scripts of other origins may send and read. */
export interface CorsPolicy {
  methods: string[];
  allowedHeaders: string[];
  exposedHeaders: string[];
}

export interface HttpServiceOptions extends HttpAppOptions {
  /** Absent = scripts of other origins may not call this service. */
  cors?: CorsPolicy;
}

/** An HTTP service with what all of them have in common: health body, response headers, CORS. */
export async function createHttpService(
  root: Type,
  service: ServiceContext<Settings>,
  { cors, ...options }: HttpServiceOptions,
): Promise<NestFastifyApplication> {
  service.answerHealthWith((report) => healthBody(report, service.version));
  const app = await createHttpApp(root, service, { rejectUnroutable, ...options });
  addResponseHeaders(app.getHttpAdapter().getInstance(), service.settings);
  if (cors) allowOrigins(app, service.settings, cors);
  return app;
}

/** Any origin while developing; in production only those that the operator names. */
function allowOrigins(app: NestFastifyApplication, settings: Settings, policy: CorsPolicy): void {
  const origin = isProduction(settings) ? [...(settings.CORS_ALLOWED_ORIGINS ?? [])] : true;
  app.enableCors({ ...policy, origin, maxAge: 600 });
}
