import { join } from 'node:path';
import { eventually } from './eventually.js';
import { endAll, RedisProcess, type RedisServersOptions, untilReplaced } from './redis-process.js';
import { createServerFolder } from './server-folder.js';
import type { FailoverRedis } from './test-redis.js';

const password = 'redis-password';
const sentinelPassword = 'sentinel-password';
const master = 'spooled';
const numberOfSentinels = 3;
/** Shorter than in production, where it is usually 5 s or more. */
const downAfterMs = 3000;

/**
 * One primary, one replica and three sentinels as processes, all with passwords. `stop`, `kill` and `start` apply to the
 * primary and the replica.
 */
export async function startSentinel({ tls = false }: RedisServersOptions = {}): Promise<FailoverRedis> {
  const { folder, remove } = createServerFolder('spooled-test-sentinel-');
  const started: RedisProcess[] = [];
  const launch = async (name: string, settings: string[], sentinel = false) => {
    const options = { folder: join(folder, name), settings, sentinel, tls };
    const server = await RedisProcess.start({ ...options, password: sentinel ? sentinelPassword : password });
    started.push(server);
    return server;
  };
  const close = async () => {
    await Promise.all(started.map((server) => server.close()));
    remove();
  };
  try {
    return await launchAll(launch, close, tls);
  } catch (error) {
    await close();
    throw error;
  }
}

type Launch = (name: string, settings: string[], sentinel?: boolean) => Promise<RedisProcess>;

async function launchAll(launch: Launch, close: () => Promise<void>, tls: boolean): Promise<FailoverRedis> {
  const common = [`masterauth ${password}`, 'repl-diskless-sync-delay 0'];
  const primary = await launch('primary', common);
  const replica = await launch('replica', [...common, `replicaof 127.0.0.1 ${primary.port}`]);
  const servers = [primary, replica];
  const monitor = [
    `sentinel monitor ${master} 127.0.0.1 ${primary.port} 2`,
    `sentinel auth-pass ${master} ${password}`,
    `sentinel down-after-milliseconds ${master} ${downAfterMs}`,
    `sentinel failover-timeout ${master} 10000`,
    `sentinel sentinel-pass ${sentinelPassword}`,
  ];
  const names = Array.from({ length: numberOfSentinels }, (_, index) => `sentinel-${index}`);
  const sentinels = await Promise.all(names.map((name) => launch(name, monitor, true)));
  await eventually(() => untilMonitored(sentinels), { timeoutMs: 30_000 });
  const hosts = sentinels.map(({ address }) => address).join(',');
  return {
    url: `redis${tls ? 's' : ''}+sentinel://:${password}@${hosts}/${master}?sentinel_password=${sentinelPassword}`,
    primaryOf: () => currentPrimary(sentinels[0]!, servers),
    async failover() {
      const before = await currentPrimary(sentinels[0]!, servers);
      // Refused while the sentinel has no recent news of the replica, as on a busy machine.
      const begin = async () => {
        if ((await currentPrimary(sentinels[0]!, servers)) !== before) return;
        await sentinels[0]!.ask((redis) => redis.call('SENTINEL', 'FAILOVER', master));
      };
      await eventually(begin, { timeoutMs: 30_000, everyMs: 100 });
      await untilReplaced(before, () => currentPrimary(sentinels[0]!, servers));
    },
    stop: () => endAll(servers, 'SIGTERM'),
    kill: () => endAll(servers, 'SIGKILL'),
    start: async () => void (await Promise.all(servers.map((server) => server.start()))),
    close,
  };
}

/** Each sentinel knows the replica and the others, so that they can agree on a failover. */
async function untilMonitored(sentinels: RedisProcess[]): Promise<void> {
  for (const sentinel of sentinels) {
    const known = (await sentinel.ask((redis) => redis.call('SENTINEL', 'MASTER', master))) as string[];
    const fact = (name: string) => known[known.indexOf(name) + 1];
    const replicas = (await sentinel.ask((redis) => redis.call('SENTINEL', 'REPLICAS', master))) as string[][];
    const link = replicas[0]?.[replicas[0].indexOf('master-link-status') + 1];
    const state = [fact('flags'), fact('num-slaves'), fact('num-other-sentinels'), link].join(' ');
    if (state !== `master 1 ${numberOfSentinels - 1} ok`) throw new Error(`The sentinels are not ready: ${state}`);
  }
}

async function currentPrimary(sentinel: RedisProcess, servers: RedisProcess[]): Promise<RedisProcess> {
  const found = (await sentinel.ask((redis) => redis.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', master))) as string[];
  const primary = servers.find(({ port }) => String(port) === found[1]);
  if (!primary) throw new Error('The sentinels name no server of this test');
  return primary;
}
