import type { ServiceName } from '@spooled/local';
import { defaultRedisMode } from './redis-mode.js';
import { scrape } from './scrape.js';
import type { StackAddresses } from './stack.js';
import { createTenant } from './tenant.js';
import type { TestRedisServer } from './test-redis.js';
import { sharedStacksName } from './test-server-env.js';

/** What the run tells about a stack that it keeps. */
export type StackDescription = Omit<StackAddresses, 'metrics' | 'apiKey' | 'organizationId'> & {
  metricsUrls: Partial<Record<ServiceName, string[]>>;
};

/** Secrets of inbound webhooks that hold for every organization. */
export const sharedSecrets = { github: 'github-secret-of-shared-stacks', stripe: 'stripe-secret-of-shared-stacks' };

/** Claims of one organization that may wait at one gateway of a shared stack. */
export const mostWaitingClaims = 20;

/** A server of Redis that specs may read, but not stop. */
export type SharedRedisServer = Pick<TestRedisServer, 'port' | 'password'>;

/**
 * The stack that the run keeps for this Jest worker, with a new organization (enterprise plan) for the calling spec file. It is
 * started by the first file that asks and serves all later ones, so a spec must not stop, pause or change anything but its own
 * organizations. Its settings are those of `sharedEnvironment` in stack-host.ts; what needs others starts its own (`startStack`).
 *
 * @throws Error when the stack did not start, or one of its processes has crashed
 */
export async function sharedStack(): Promise<SharedStack> {
  const described = await ask<StackDescription>('');
  const { key, organizationId } = await createTenant(described.databaseUrls.superuserUrl);
  return new SharedStack(described, key, organizationId);
}

export class SharedStack implements StackAddresses {
  readonly hasRedis = defaultRedisMode() !== 'none';

  constructor(
    private readonly described: StackDescription,
    readonly apiKey: string,
    readonly organizationId: string,
  ) {}

  get baseUrls(): string[] {
    return this.described.baseUrls;
  }

  get baseUrl(): string {
    return this.described.baseUrl;
  }

  get grpcAddresses(): string[] {
    return this.described.grpcAddresses;
  }

  get adminKey(): string {
    return this.described.adminKey;
  }

  get databaseUrls(): StackAddresses['databaseUrls'] {
    return this.described.databaseUrls;
  }

  get services(): ServiceName[] {
    return this.described.services;
  }

  metrics(service: ServiceName, index = 0): Promise<string> {
    const url = this.described.metricsUrls[service]?.[index];
    if (!url) throw new Error(`The shared stack has no ${service} ${index}`);
    return scrape(`${url}/metrics`);
  }

  /** Log lines of a process so far, oldest first, also those of earlier files. */
  logs(service: ServiceName, index = 0): Promise<string[]> {
    return ask(`/logs/${service}/${index}`);
  }

  /** The server of Redis that has the data of this organization. */
  redisOf(organizationId: string): Promise<SharedRedisServer> {
    return ask(`/redis/${organizationId}`);
  }
}

/** Asks the process that runs Jest about the stack of this worker. */
async function ask<T>(path: string): Promise<T> {
  const url = process.env[sharedStacksName];
  if (!url) throw new Error(`${sharedStacksName} is not set: run this spec in the Jest project "e2e"`);
  const response = await fetch(`${url}/${process.env.JEST_WORKER_ID}${path}`);
  const body = (await response.json()) as T | { error: string };
  if (!response.ok) throw new Error((body as { error: string }).error);
  return body as T;
}
