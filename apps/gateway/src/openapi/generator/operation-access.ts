import type { INestApplication } from '@nestjs/common';
import { accessOfMethods, type RouteAccess } from '../../auth/route-access.js';

/** The name of an operation: `Jobs_create`. */
export const operationName = (controller: string, method: string): string =>
  `${controller.replace(/Controller$/, '')}_${method}`;

/** The access level of each operation, from the same decorators that `RequestAdmission` enforces. */
export function accessByOperation(app: INestApplication): Map<string, RouteAccess> {
  const found = new Map<string, RouteAccess>();
  for (const [controller, method, access] of accessOfMethods(app)) {
    found.set(operationName(controller.name, method), access);
  }
  return found;
}
