import { Module } from '@nestjs/common';
import { BatchModule } from './batch/batch.module.js';
import { CommandsHandler } from './commands/commands.handler.js';

/** The queue engine: takes commands from Redis streams, runs them in shared transactions, replies after the commit. */
@Module({ imports: [BatchModule], controllers: [CommandsHandler] })
export class EngineModule {}
