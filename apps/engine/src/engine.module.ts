import { Module } from '@nestjs/common';
import { LocalEngineModule, StoresModule } from '@spooled/service';
import { CommandStreamModule } from './commands/command-stream.module.js';
import { CommandsHandler } from './commands/commands.handler.js';

/** The queue engine: takes commands from Redis streams, runs them in shared transactions, replies after the commit. */
@Module({
  imports: [
    // An engine has nothing to do without Redis, so it is the one service that must have it.
    StoresModule.forRoot({ database: { critical: true }, redis: { required: true } }),
    LocalEngineModule,
    CommandStreamModule,
  ],
  controllers: [CommandsHandler],
})
export class EngineModule {}
