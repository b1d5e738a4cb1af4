import type { ServiceName } from '@spooled/local';
import { type Connection, replicas } from './chaos-system.js';
import { databaseFaults } from './database-faults.js';
import type { Fault } from './fault.js';
import { rollingRestart } from './rolling-restart.js';

const services = Object.keys(replicas) as ServiceName[];
const nothing = async (): Promise<void> => undefined;

const workerFaults: Fault[] = [
  {
    name: 'worker process killed',
    part: 'worker',
    inject: async ({ workers }) => {
      await workers.kill(0);
      return async () => workers.replace(0);
    },
  },
  {
    name: 'worker process paused',
    part: 'worker',
    inject: async ({ workers }) => {
      workers.signal(0, 'SIGSTOP');
      return async () => workers.signal(0, 'SIGCONT');
    },
  },
];

const serviceFaults: Fault[] = services.flatMap((service): Fault[] => [
  {
    name: `${service} killed`,
    part: service,
    inject: async ({ system, random }) => {
      const index = random.between(1, replicas[service]) - 1;
      await system.stack.kill(service, index);
      return () => system.stack.restart(service, index);
    },
  },
  {
    name: `${service} paused`,
    part: service,
    inject: async ({ system, random }) => {
      const index = random.between(1, replicas[service]) - 1;
      system.stack.pause(service, index);
      return async () => system.stack.resume(service, index);
    },
  },
]);

const redisFaults: Fault[] = [
  {
    name: 'Redis stopped',
    part: 'redis',
    inject: async ({ system }) => {
      await system.stack.redis!.stop();
      return () => system.stack.redis!.start();
    },
  },
  {
    name: 'Redis killed and restarted',
    part: 'redis',
    inject: async ({ system }) => {
      await system.stack.redis!.kill();
      await system.stack.redis!.start();
      return nothing;
    },
  },
  {
    name: 'Redis flushed',
    part: 'redis',
    inject: async ({ system, organizationId }) => {
      const redis = (await system.stack.redis!.primaryOf(organizationId)).connect();
      await redis.flushall();
      redis.disconnect();
      return nothing;
    },
  },
  {
    name: 'Redis hung',
    part: 'redis',
    inject: async ({ system, organizationId }) => {
      const server = await system.stack.redis!.primaryOf(organizationId);
      server.pause();
      return async () => server.resume();
    },
  },
];

const poolerFaults: Fault[] = [
  {
    name: 'PgBouncer restarted',
    part: 'pgbouncer',
    inject: async ({ system }) => {
      await system.pooler.restart();
      return nothing;
    },
  },
];

/** Of every pair of processes, or of one pair that the seed chooses. */
const delayed: Connection[] = ['callers–gateways', 'services–Redis', 'services–PgBouncer', 'PgBouncer–PostgreSQL'];
const delayMs = 200;
const networkFaults: Fault[] = delayed.flatMap((connection): Fault[] => [
  {
    name: `${delayMs} ms ${connection}`,
    part: connection,
    inject: async ({ system }) => {
      const proxies = system.proxiesOf(connection);
      for (const proxy of proxies) proxy.delay(delayMs);
      return async () => proxies.forEach((proxy) => proxy.delay(0));
    },
  },
  {
    name: `partition ${connection}`,
    part: connection,
    inject: async ({ system, random }) => {
      const proxy = random.of(system.proxiesOf(connection))!;
      proxy.stallAll();
      return async () => proxy.resume();
    },
  },
  {
    name: `half-open ${connection}`,
    part: connection,
    inject: async ({ system }) => {
      const proxies = system.proxiesOf(connection);
      for (const proxy of proxies) proxy.halfOpen();
      // The clients of these connections are to find out by themselves; what is left is closed for the next fault.
      return async () => proxies.forEach((proxy) => proxy.closeStalled());
    },
  },
]);

const clockFault: Fault = {
  name: 'clock of a service five minutes ahead',
  part: 'clock',
  inject: async ({ system, random }) => {
    const service = random.of(services)!;
    const index = random.between(1, replicas[service]) - 1;
    system.stack.signal(service, index, 'SIGUSR2');
    return async () => system.stack.signal(service, index, 'SIGUSR2');
  },
};

/** Every fault that is tried. The last one leaves PostgreSQL with the longest recovery. */
export const faults: readonly Fault[] = [
  ...workerFaults,
  ...serviceFaults,
  rollingRestart,
  ...redisFaults,
  ...poolerFaults,
  ...networkFaults,
  clockFault,
  ...databaseFaults,
];
