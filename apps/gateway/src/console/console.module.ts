import { Module } from '@nestjs/common';
import { AppLogger, SETTINGS } from '@spooled/platform';
import { optionalProvider } from '@spooled/service';
import type { GatewaySettings } from '../gateway.config.js';
import { ConsoleController } from './console.controller.js';
import { ConsoleSessions } from './console-sessions.service.js';
import { openIdOptions } from './open-id.config.js';
import { OpenIdProvider } from './open-id-provider.js';
import { PeopleService } from './people.service.js';
import { SignInController } from './sign-in.controller.js';

/** Null in a deployment without a provider. */
function openProvider(settings: GatewaySettings, logger: AppLogger): OpenIdProvider | null {
  const options = openIdOptions(settings);
  return options && new OpenIdProvider(options, logger);
}

@Module({
  controllers: [ConsoleController, SignInController],
  providers: [optionalProvider(OpenIdProvider, openProvider, [SETTINGS, AppLogger]), PeopleService, ConsoleSessions],
})
export class ConsoleModule {}
