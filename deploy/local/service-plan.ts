import { join } from 'node:path';
import { urlHost } from './ports.js';
import type { ServiceSpec } from './service-process.js';

export const serviceNames = ['engine', 'scheduler', 'realtime', 'webhooks', 'gateway'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** Settings shared by all services of one system. */
export interface SystemEnvironment {
  databaseUrl: string;
  databaseSystemUrl: string;
  /** Null = no Redis: the services run on the direct path. */
  redisUrl: string | null;
  jwtSecret: string;
  adminApiKey: string;
  dataDir: string;
}

export interface ServicePorts {
  host: string;
  port: number;
  metricsPort: number;
  /** Only the gateway has one. */
  grpcPort?: number;
}

/** Where the gateway finds a service that it proxies to. One that is not started needs an address too; nothing listens there. */
const addressOf = (ports?: ServicePorts): string => `http://127.0.0.1:${ports?.port ?? 9}`;

/** Kind of deployment. RUST_ENV is its published name. */
export const environment = process.env.SPOOLED_ENV || process.env.RUST_ENV || 'development';

const fixed = {
  SPOOLED_ENV: environment,
  // Less than the launcher's own timeout, so that a service can shut down before SIGKILL.
  SHUTDOWN_TIMEOUT_SECS: '5',
  // Nobody else could answer.
  SHUTDOWN_DRAIN_SECS: '0',
};

/**
 * Semi-space in MB for services with little load. By default it grows to 16 during the start alone and stays resident; gateway
 * and engine need that much (docs/performance.md, Idle).
 */
const youngSpaceMb: Partial<Record<ServiceName, number>> = { scheduler: 4, webhooks: 4, realtime: 4 };

/** Flags of Node for a service; the images use the same. */
export function nodeFlagsOf(name: ServiceName): string[] {
  const young = youngSpaceMb[name];
  return young === undefined ? [] : [`--max-semi-space-size=${young}`];
}

/** Node's own default, which editors attach to. */
const debuggerAddress = '127.0.0.1:9229';

/** The service that `--inspect` names. @throws Error if there is none of that name */
export function inspectedService(name: string | undefined): ServiceName | undefined {
  const found = serviceNames.find((service) => service === name);
  if (name !== undefined && !found) throw new Error(`--inspect takes one of ${serviceNames.join(', ')}`);
  return found;
}

/** The gateway is a proxy in front of the other two servers, which nothing else reaches here: its forwarded address counts. */
const behindGateway = (name: ServiceName, { TRUSTED_PROXY_HOPS: hops }: NodeJS.ProcessEnv) =>
  (name === 'realtime' || name === 'webhooks') && !(Number(hops) > 1) ? { TRUSTED_PROXY_HOPS: '1' } : {};

/** One service of a system. */
export interface ServicePlan {
  /** Folder with the built services. */
  root: string;
  name: ServiceName;
  /** Name of the process. Default: that of the service. */
  instance?: string;
  ports: ServicePorts;
  /** Of the services that the gateway proxies to, if they are started. */
  proxied: { realtime?: ServicePorts; webhooks?: ServicePorts };
  system: SystemEnvironment;
  overrides?: NodeJS.ProcessEnv;
  /** Whether a debugger can attach to it, on Node's default port. */
  inspect?: boolean;
}

/** How to run one service of a system: `overrides` take precedence over the caller's environment, and that over `fixed`. */
export function planService(plan: ServicePlan): ServiceSpec {
  const { root, name, instance = name, ports, proxied, system, overrides = {}, inspect = false } = plan;
  const own = {
    ...behindGateway(name, { ...process.env, ...overrides }),
    HOST: ports.host,
    PORT: String(ports.port),
    METRICS_PORT: String(ports.metricsPort),
    GRPC_PORT: ports.grpcPort === undefined ? undefined : String(ports.grpcPort),
    DATABASE_URL: system.databaseUrl,
    DATABASE_SYSTEM_URL: system.databaseSystemUrl,
    // The owner's address is for migrations only.
    DATABASE_DIRECT_URL: undefined,
    REDIS_URL: system.redisUrl ?? '',
    JWT_SECRET: system.jwtSecret,
    ADMIN_API_KEY: system.adminApiKey,
    DATA_DIR: system.dataDir,
    REALTIME_URL: addressOf(proxied.realtime),
    WEBHOOKS_URL: addressOf(proxied.webhooks),
    // The launcher writes the JSON lines to a file and shows them in readable form.
    JSON_LOGS: 'true',
  };
  return {
    name: instance,
    script: join('dist/apps', name, 'main.js'),
    nodeFlags: [...nodeFlagsOf(name), ...(inspect ? [`--inspect=${debuggerAddress}`] : [])],
    cwd: root,
    env: { ...fixed, ...process.env, ...own, ...overrides },
    readyUrl: `http://${urlHost(ports.host)}:${ports.metricsPort}/health/ready`,
  };
}
