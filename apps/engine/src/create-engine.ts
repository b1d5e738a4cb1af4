import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { nestOptions, withPlatform } from '@spooled/platform';
import { CommandStreamServer } from '@spooled/transport';
import type { EngineService } from './engine.config.js';
import { EngineModule } from './engine.module.js';

/** The service, ready to take commands. */
export const createEngine = (service: EngineService): Promise<INestMicroservice> =>
  NestFactory.createMicroservice<AsyncMicroserviceOptions>(withPlatform(EngineModule, service), {
    ...nestOptions(service),
    inject: [CommandStreamServer],
    useFactory: (strategy: CommandStreamServer) => ({ strategy }),
  });
