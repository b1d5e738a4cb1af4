import { Module, type DynamicModule, type NestApplicationOptions, type Type } from '@nestjs/common';
import { HealthChecks } from '../health/health-checks.js';
import { AppLogger } from '../log/logger.js';
import { NestLogger } from '../log/nest-logger.js';
import type { ServiceContext } from './service-context.js';

/** Injects the service's settings: `@Inject(SETTINGS) settings: GreeterSettings`. */
export const SETTINGS = Symbol('settings');
/** Injects the service's metrics: `@Inject(METRICS) metrics: Metrics<typeof greeterMetrics>`. */
export const METRICS = Symbol('metrics');
/** Injects the whole `ServiceContext`, for `onStop`, `stopping` and the version. */
export const SERVICE = Symbol('service');

/** Provides logger, settings, metrics and health checks to every class of a service. */
@Module({})
export class PlatformModule {
  static forRoot(service: ServiceContext): DynamicModule {
    const providers = [
      { provide: AppLogger, useValue: service.logger },
      { provide: HealthChecks, useValue: service.health },
      { provide: METRICS, useValue: service.metrics },
      { provide: SETTINGS, useValue: service.settings },
      { provide: SERVICE, useValue: service },
    ];
    return { module: PlatformModule, global: true, providers, exports: providers };
  }
}

/** A service's root module with the platform's providers. */
export const withPlatform = (root: Type, service: ServiceContext): DynamicModule => ({
  module: root,
  imports: [PlatformModule.forRoot(service)],
});

/** Options of every Nest application: the process's logger, and errors at start are thrown instead of aborting the process. */
export const nestOptions = (
  service: Pick<ServiceContext, 'logger'>,
): Pick<NestApplicationOptions, 'logger' | 'abortOnError'> => ({
  logger: new NestLogger(service.logger),
  abortOnError: false,
});
