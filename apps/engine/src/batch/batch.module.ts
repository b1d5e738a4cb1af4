import { Global, Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { SERVICE, withSpan } from '@spooled/platform';
import { GroupCommit } from '@spooled/queue';
import { openEffectsPublisher, openDatabase, openLocalEngine, openRedis, releaseUnclaimed } from '@spooled/service';
import { CommandStreamServer, readBacklogAge, RedisShards } from '@spooled/transport';
import type { EngineService } from '../engine.config.js';

/** PostgreSQL, Redis, and the group commit between them. */
@Global()
@Module({
  providers: [
    {
      provide: Database,
      useFactory: (service: EngineService) => openDatabase(service, { critical: true }),
      inject: [SERVICE],
    },
    { provide: RedisShards, useFactory: openEngineRedis, inject: [SERVICE] },
    {
      provide: GroupCommit,
      useFactory: (service: EngineService, database: Database, redis: RedisShards) =>
        openLocalEngine(service, database, redis, openEffectsPublisher(service, redis)),
      inject: [SERVICE, Database, RedisShards],
    },
    { provide: CommandStreamServer, useFactory: openServer, inject: [SERVICE, RedisShards, GroupCommit] },
  ],
  exports: [Database, RedisShards, GroupCommit, CommandStreamServer],
})
export class BatchModule {}

/** An engine has nothing to do without Redis, so it is the one service that must have it. */
function openEngineRedis(service: EngineService): RedisShards {
  const redis = openRedis(service, { critical: true });
  if (!redis) throw new Error('REDIS_URL or REDIS_SHARDS must be set: an engine takes its commands from Redis');
  service.metrics.onScrape('commandBacklogAge', async (gauge) => gauge.set((await readBacklogAge(redis)) / 1000));
  return redis;
}

function openServer(service: EngineService, redis: RedisShards, commit: GroupCommit): CommandStreamServer {
  return new CommandStreamServer(redis, {
    log: service.logger,
    maxInFlight: service.settings.ENGINE_MAX_IN_FLIGHT,
    onUnclaimed: releaseUnclaimed(service.logger, commit),
    wrap: (command, run) =>
      withSpan(
        `run ${command.kind}`,
        {
          kind: 'consumer',
          parent: command.traceparent,
          attributes: {
            'spooled.organization_id': command.organizationId,
            'spooled.redelivered': command.redelivered === true,
          },
        },
        run,
      ),
  });
}
