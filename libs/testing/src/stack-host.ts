import type { ServiceName } from '@spooled/local';
import { mostWaitingClaims, type SharedRedisServer, sharedSecrets, type StackDescription } from './shared-stack.js';
import { type Stack, startStack } from './stack.js';

/** A worker or a stream may be at another gateway than the request that concerns it. */
const processes = { gateways: 2 };

/** Every spec on a shared stack is written for these. */
const sharedEnvironment = {
  // A spec with many calls of one kind sends each from another address, so that limits per address do not apply.
  TRUSTED_PROXY_HOPS: '1',
  // Workers are told about their jobs; a poll that finds them would hide that they were not told.
  WORKER_FALLBACK_POLL_INTERVAL_SECS: '300',
  CLAIM_MAX_WAITING: String(mostWaitingClaims),
  GITHUB_WEBHOOK_SECRET: sharedSecrets.github,
  STRIPE_WEBHOOK_SECRET: sharedSecrets.stripe,
  // A failed delivery is retried at once, and soon final.
  OUTGOING_WEBHOOK_MAX_ATTEMPTS: '2',
  OUTGOING_WEBHOOK_RETRY_BASE_MS: '20',
};

/**
 * Keeps a stack for each Jest worker, in the process that runs Jest: workers are restarted when they need too much memory, and
 * have new modules for each file.
 */
export class StackHost {
  private readonly stacks = new Map<string, Promise<Stack>>();
  /** Workers whose stack has failed to start once. */
  private readonly failed = new Set<string>();

  /**
   * @param path worker, and what it asks about its stack; nothing: a description
   * @throws Error when the stack does not start or has lost a process
   */
  async answer(path: string): Promise<unknown> {
    const [worker = '', question, ...words] = path.split('/').slice(1);
    const stack = await this.stackOf(worker);
    if (question === 'logs') return stack.logs(words[0] as ServiceName, Number(words[1]));
    if (question === 'redis') return redisOf(stack, words[0]!);
    if (stack.crashed.length > 0) throw new Error(`The shared stack of this worker is lost: ${stack.crashed.join()}`);
    return describe(stack);
  }

  /** @throws Error when a service has logged a credential; all stacks are stopped by then */
  async stop(): Promise<void> {
    const stops = [...this.stacks.values()].map(async (stack) => (await stack.catch(() => null))?.stop());
    const failed = (await Promise.allSettled(stops)).find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
  }

  private stackOf(worker: string): Promise<Stack> {
    const found = this.stacks.get(worker) ?? startStack({ ...processes, env: sharedEnvironment });
    this.stacks.set(worker, found);
    // One slow start must not fail all later files. A second failure is kept: each try takes up to a minute.
    found.catch(() => {
      if (!this.failed.has(worker)) this.stacks.delete(worker);
      this.failed.add(worker);
    });
    return found;
  }
}

async function redisOf({ redis }: Stack, organizationId: string): Promise<SharedRedisServer> {
  if (!redis) throw new Error('The shared stack has no Redis');
  const { port, password } = await redis.primaryOf(organizationId);
  return { port, password };
}

function describe(stack: Stack): StackDescription {
  const { baseUrl, baseUrls, grpcAddresses, adminKey, services } = stack;
  const { name, appUrl, systemUrl, ownerUrl, superuserUrl } = stack.databaseUrls;
  const databaseUrls = { name, appUrl, systemUrl, ownerUrl, superuserUrl };
  const metricsUrls = Object.fromEntries(services.map((service) => [service, stack.metricsUrls(service)]));
  return { baseUrl, baseUrls, grpcAddresses, adminKey, databaseUrls, services, metricsUrls };
}
