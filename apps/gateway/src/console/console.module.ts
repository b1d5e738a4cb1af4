import { Module } from '@nestjs/common';
import { ConsoleController } from './console.controller.js';
import { ConsoleSessions } from './console-sessions.service.js';

@Module({ controllers: [ConsoleController], providers: [ConsoleSessions] })
export class ConsoleModule {}
