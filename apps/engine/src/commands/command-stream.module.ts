import { Module } from '@nestjs/common';
import { SERVICE, withSpan } from '@spooled/platform';
import { GroupCommit } from '@spooled/queue';
import { provider, REDIS, releaseUnclaimed } from '@spooled/service';
import { CommandStreamServer, readBacklogAge, type RedisShards } from '@spooled/transport';
import type { EngineService } from '../engine.config.js';

function openServer(service: EngineService, redis: RedisShards, commit: GroupCommit): CommandStreamServer {
  const { logger, settings, metrics } = service;
  metrics.onScrape('commandBacklogAge', async (gauge) => gauge.set((await readBacklogAge(redis)) / 1000));
  return new CommandStreamServer(redis, {
    log: logger,
    maxInFlight: settings.ENGINE_MAX_IN_FLIGHT,
    onUnclaimed: releaseUnclaimed(logger, commit),
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

/** Reads commands from Redis streams. */
@Module({
  providers: [provider(CommandStreamServer, openServer, [SERVICE, REDIS, GroupCommit])],
  exports: [CommandStreamServer],
})
export class CommandStreamModule {}
