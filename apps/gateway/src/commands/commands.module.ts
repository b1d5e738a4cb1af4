import { Global, Module } from '@nestjs/common';
import { Database } from '@spooled/data-access';
import { SERVICE } from '@spooled/platform';
import type { Effects } from '@spooled/queue';
import { openEffectsPublisher, openCommandPath, openLocalEngine } from '@spooled/service';
import { QueueSignals, type RedisCredentialCache, type RedisShards } from '@spooled/transport';
import type { GatewayService } from '../stores/open-stores.js';
import { REDIS, SHARED_CREDENTIALS } from '../stores/tokens.js';
import { SettingsPublisher } from './settings-publisher.js';
import { Commands } from './commands.js';

/** What committed transactions of this process have to tell, whoever ran them. */
const EFFECTS = Symbol('effects');
type Announce = (effects: Effects) => void;

/** How the doors change jobs and workers, and how they tell others that they changed something themselves. */
@Global()
@Module({
  providers: [
    { provide: EFFECTS, useFactory: openEffectsPublisher, inject: [SERVICE, REDIS] },
    {
      provide: Commands,
      useFactory: (service: GatewayService, database: Database, redis: RedisShards | null, announce: Announce) => {
        const path = openCommandPath(service, redis, openLocalEngine(service, database, redis, announce));
        return new Commands(path, service.settings.COMMAND_TIMEOUT_MS);
      },
      inject: [SERVICE, Database, REDIS, EFFECTS],
    },
    {
      provide: SettingsPublisher,
      useFactory: (announce: Announce, redis: RedisShards | null, changes: RedisCredentialCache | null) =>
        new SettingsPublisher(announce, redis && changes && { signals: new QueueSignals(redis), changes }),
      inject: [EFFECTS, REDIS, SHARED_CREDENTIALS],
    },
  ],
  exports: [Commands, SettingsPublisher],
})
export class CommandsModule {}
