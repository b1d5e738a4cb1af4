import { productMetrics } from '@spooled/contracts';
import { createLogger, createMetrics, HealthChecks, readSettings } from '@spooled/platform';
import { REDIS } from '@spooled/service';
import { eventually, patientTimeouts } from '@spooled/testing';
import type { RedisShards } from '@spooled/transport';
import { createWebhooks } from './create-webhooks.js';
import { webhooksSettings } from './webhooks.config.js';

export interface RunningService {
  url: string;
  /** Log lines, parsed. */
  lines: Record<string, unknown>[];
  /** Shutdown as after SIGTERM: the parts one by one, last first. */
  stop(): Promise<void>;
}

/**
 * The complete service in this process, on a free port, with the settings of `env`. It is connected to its Redis when the promise
 * resolves: until then it counts by itself and misses messages.
 */
export async function startService(env: Record<string, string | undefined>): Promise<RunningService> {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const logger = createLogger({ service: 'webhooks', level: 'debug', destination });
  const parts: (() => Promise<unknown> | void)[] = [];
  const stopping = new AbortController();
  const app = await createWebhooks({
    name: 'webhooks',
    version: 'spec',
    settings: readSettings(webhooksSettings, {
      SPOOLED_ENV: 'development',
      DATABASE_MIN_CONNECTIONS: '0',
      ...patientTimeouts,
      SHUTDOWN_DRAIN_SECS: '0',
      ...env,
    }),
    logger,
    metrics: createMetrics(productMetrics),
    health: new HealthChecks(logger),
    stopping: stopping.signal,
    onStop: (_part, stop) => void parts.push(stop),
    answerHealthWith: () => undefined,
  });
  parts.push(() => app.close());
  await app.listen(0, '127.0.0.1');
  const redis = app.get<RedisShards | null>(REDIS);
  if (redis) await eventually(() => expect(redis.connected).toBe(true));
  const stop = async () => {
    stopping.abort();
    for (let part = parts.pop(); part; part = parts.pop()) await part();
  };
  return { url: await app.getUrl(), lines, stop };
}
