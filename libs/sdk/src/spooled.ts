import { requireKnown, requireWhole } from './app/known-options.js';
import { Credentials } from './http/credentials.js';
import { HttpClient } from './http/http-client.js';
import type { LargeIntegers } from './http/json.js';
import { type RetryOptions, retryPolicyOf } from './http/retry-policy.js';
import { Realtime } from './realtime/realtime.js';
import { Admin } from './resources/admin.js';
import { ApiKeys } from './resources/api-keys.js';
import { Audit } from './resources/audit.js';
import { Auth } from './resources/auth.js';
import { HealthChecks } from './resources/health.js';
import { Ingestion } from './resources/ingestion.js';
import { Jobs } from './resources/jobs.js';
import { Monitoring } from './resources/monitoring.js';
import { Operations } from './resources/operations.js';
import { Throttles } from './resources/throttles.js';
import { Organizations } from './resources/organizations.js';
import { OutgoingWebhooks } from './resources/outgoing-webhooks.js';
import { Queues } from './resources/queues.js';
import { Schedules } from './resources/schedules.js';
import { Workers } from './resources/workers.js';
import { Batches } from './resources/batches.js';
import { Workflows } from './resources/workflows.js';

export interface SpooledOptions {
  /** URL of the server, such as `http://127.0.0.1:8080`. */
  baseUrl: string;
  /** An API key. Without it and `accessToken`, only public routes work. */
  apiKey?: string;
  /** An access token, instead of an API key. */
  accessToken?: string;
  /** Renews the access token when it expires. */
  refreshToken?: string;
  /** The administrator's key, for `admin`. */
  adminKey?: string;
  /** Timeout of one attempt in milliseconds. @default 30000 */
  timeoutMs?: number;
  retry?: RetryOptions;
  /** host:port of the gRPC API, for workers that use it. @default the host of `baseUrl`, port 50051 */
  grpcAddress?: string;
  /** Whether gRPC uses TLS. @default true, except for localhost */
  grpcTls?: boolean;
  /**
   * How integers beyond ±(2^53−1) in documents are read: as `bigint` with all digits (Node.js 21 or newer), or rounded to a `number`.
   * @default 'bigint'
   */
  largeIntegers?: LargeIntegers;
  /** Replaces the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

const optionNames: Record<keyof SpooledOptions, true> = {
  ...{ baseUrl: true, apiKey: true, accessToken: true, refreshToken: true, adminKey: true, timeoutMs: true },
  ...{ retry: true, grpcAddress: true, grpcTls: true, largeIntegers: true, fetch: true },
};

/** Errors of `fetch` would show the URL, which may hold a secret. @throws TypeError that does not show it */
function baseUrlOf(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new TypeError('baseUrl: must be an http or https URL');
  }
  if (url.username || url.password) throw new TypeError('baseUrl: must hold no credentials; give the key as apiKey');
  if (url.search || url.hash) throw new TypeError('baseUrl: must hold no query and no fragment');
  if (/\/api\/v\d+\/?$/.test(url.pathname)) throw new TypeError('baseUrl: must end before /api');
  return url.href.replace(/\/$/, '');
}

/** Errors of `fetch` would show the header. @throws TypeError that does not show it */
function requireCredential(
  options: SpooledOptions,
  name: 'apiKey' | 'accessToken' | 'refreshToken' | 'adminKey',
): void {
  const value: unknown = options[name];
  if (value === undefined || value === '' || (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value))) return;
  throw new TypeError(`${name}: must be a text of visible ASCII characters`);
}

/** The options of a client, and what sends its requests. */
abstract class Connected {
  protected readonly http: HttpClient;

  /** @throws TypeError naming a wrong option; it shows no credential */
  constructor(readonly options: SpooledOptions) {
    requireKnown(options, optionNames);
    for (const name of ['apiKey', 'accessToken', 'refreshToken', 'adminKey'] as const) requireCredential(options, name);
    if (options.timeoutMs !== undefined) requireWhole(options.timeoutMs, 'timeoutMs', 1);
    this.http = new HttpClient({
      baseUrl: baseUrlOf(options.baseUrl),
      credentials: new Credentials(options.apiKey, options.accessToken, options.refreshToken),
      timeoutMs: options.timeoutMs ?? 30_000,
      retry: retryPolicyOf(options.retry),
      fetch: options.fetch ?? globalThis.fetch,
      largeIntegers: options.largeIntegers ?? 'bigint',
      userAgent: 'spooled-sdk-typescript/0.1.0',
    });
  }
}

/** A client of one organization. It keeps no connections, so it need not be closed. */
export class Spooled extends Connected {
  readonly jobs = new Jobs(this.http);
  /** The same as `jobs.deadLetters`. */
  readonly deadLetters = this.jobs.deadLetters;
  readonly operations = new Operations(this.http);
  readonly throttles = new Throttles(this.http);
  readonly queues = new Queues(this.http);
  readonly workers = new Workers(this.http);
  readonly schedules = new Schedules(this.http);
  readonly workflows = new Workflows(this.http);
  readonly batches = new Batches(this.http);
  readonly outgoingWebhooks = new OutgoingWebhooks(this.http);
  readonly organizations = new Organizations(this.http);
  readonly apiKeys = new ApiKeys(this.http);
  readonly audit = new Audit(this.http);
  readonly auth = new Auth(this.http);
  readonly ingestion = new Ingestion(this.http);
  readonly realtime = new Realtime(this.http);
  readonly health = new HealthChecks(this.http);
  readonly monitoring = new Monitoring(this.http);
  readonly admin = new Admin(this.http, this.options.adminKey);
}
