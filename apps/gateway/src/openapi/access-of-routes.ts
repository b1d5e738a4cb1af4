import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { ACCESS, type Access } from '../auth/access.decorators.js';

type Described = Access | 'key';

/** The name of an operation: `Jobs_create`. */
export const operationName = (controller: string, method: string): string =>
  `${controller.replace(/Controller$/, '')}_${method}`;

/** Which credential each operation wants, from the same decorators that the guard obeys; `key` is any valid one. */
export function accessOfRoutes(app: INestApplication): Map<string, Described> {
  const found = new Map<string, Described>();
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (metatype) describeController(metatype as Type, found);
    }
  }
  return found;
}

function describeController(controller: Type, found: Map<string, Described>): void {
  const prototype = controller.prototype as Record<string, unknown>;
  for (const method of Object.getOwnPropertyNames(prototype)) {
    const handler = Object.getOwnPropertyDescriptor(prototype, method)?.value as object | undefined;
    if (typeof handler !== 'function') continue;
    const access = (Reflect.getMetadata(ACCESS, handler) ?? Reflect.getMetadata(ACCESS, controller)) as
      Access | undefined;
    found.set(operationName(controller.name, method), access ?? 'key');
  }
}
