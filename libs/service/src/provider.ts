import type { Abstract, FactoryProvider, InjectionToken, Type } from '@nestjs/common';

/** A provider whose factory must return the type of its token, so that an incomplete test double does not compile. */
export const provider = <T>(
  token: Abstract<T> | Type<T>,
  useFactory: (...dependencies: never[]) => NoInfer<T>,
  inject: InjectionToken[] = [],
): FactoryProvider<T> => ({ provide: token, useFactory: useFactory as (...dependencies: unknown[]) => T, inject });

/** As `provider`, for what is null in a deployment without Redis: `@Inject(LeaseStore) leases: LeaseStore | null`. */
export const optionalProvider = <T>(
  token: Abstract<T> | Type<T>,
  useFactory: (...dependencies: never[]) => NoInfer<T> | null,
  inject: InjectionToken[] = [],
): FactoryProvider<T | null> => ({
  provide: token,
  useFactory: useFactory as (...dependencies: unknown[]) => T | null,
  inject,
});
