import type { Abstract, FactoryProvider, InjectionToken, Type } from '@nestjs/common';

/** A provider whose factory has to return what its token stands for, so that an incomplete stand-in does not compile. */
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
