import { Module, type DynamicModule } from '@nestjs/common';
import { systemClock } from '@spooled/clock';
import { LeaseStore } from '@spooled/contracts';
import { Database } from '@spooled/data-access';
import { AppLogger, SERVICE } from '@spooled/platform';
import { RedisLeases, type RedisShards } from '@spooled/transport';
import { optionalProvider, provider } from '../provider.js';
import { CLOCK, REDIS } from '../tokens.js';
import { openDatabase, type DatabaseOptions } from './open-database.js';
import { openRedis, type RedisOptions } from './open-redis.js';

export interface StoresOptions {
  database: DatabaseOptions;
  redis: RedisOptions;
}

/** Provides PostgreSQL and Redis with their health checks. They are opened before everything that uses them, and closed after it. */
@Module({})
export class StoresModule {
  static forRoot({ database, redis }: StoresOptions): DynamicModule {
    const providers = [
      { provide: CLOCK, useValue: systemClock },
      provider(Database, (service: Parameters<typeof openDatabase>[0]) => openDatabase(service, database), [SERVICE]),
      {
        provide: REDIS,
        useFactory: (service: Parameters<typeof openRedis>[0]) => openRedis(service, redis),
        inject: [SERVICE],
      },
      optionalProvider(
        LeaseStore,
        (shards: RedisShards | null, log: AppLogger) => shards && new RedisLeases(shards, { log }),
        [REDIS, AppLogger],
      ),
    ];
    return { module: StoresModule, global: true, providers, exports: providers };
  }
}
