import type { INestApplication, Type } from '@nestjs/common';
import { METHOD_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { ModulesContainer } from '@nestjs/core';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { Permission } from '@spooled/domain';
import type { AddressWindow } from '@spooled/service';
import { ACCESS, ADDRESS_LIMITS, PERMISSION, type Access } from './access.decorators.js';

/** The caller acts as a key, whose role must permit it. */
const ofKeys: ReadonlySet<RouteAccess['access']> = new Set(['key', 'unscoped', 'signal']);

/** The access level that a route requires; `key` is any valid credential. */
export interface RouteAccess {
  access: Access | 'key';
  /** Present if and only if a key is the credential. */
  permission?: Permission;
  addressLimits?: readonly AddressWindow[];
  /** The route has a schema for its query, which refuses unknown parameters itself. */
  takesQuery: boolean;
}

/**
 * All routes with the access level from their own decorators or those of the controller.
 * @throws Error for a route that does not say which roles may use it
 */
export function* accessOfMethods(app: INestApplication): Generator<[Type, string, RouteAccess]> {
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (metatype) yield* methodsOf(metatype as Type);
    }
  }
}

function* methodsOf(controller: Type): Generator<[Type, string, RouteAccess]> {
  const prototype = controller.prototype as Record<string, unknown>;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const handler = Object.getOwnPropertyDescriptor(prototype, name)?.value as object | undefined;
    if (typeof handler !== 'function') continue;
    const read = <T>(key: string) =>
      (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as T | undefined;
    if (Reflect.getMetadata(METHOD_METADATA, handler) === undefined) continue;
    const access = read<Access>(ACCESS) ?? 'key';
    const permission = read<Permission>(PERMISSION);
    if ((permission !== undefined) !== ofKeys.has(access)) {
      throw new Error(`${controller.name}.${name}: a route has @Requires if and only if its caller acts as an API key`);
    }
    yield [
      controller,
      name,
      { access, permission, addressLimits: read(ADDRESS_LIMITS), takesQuery: takesQuery(controller, name) },
    ];
  }
}

function takesQuery(controller: Type, name: string): boolean {
  const parameters = Object.keys((Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, name) as object) ?? {});
  return parameters.some((one) => one.startsWith(`${RouteParamtypes.QUERY}:`));
}

/**
 * Copies the access level from the decorators to the configuration of each route, where Fastify hooks can read it: Nest guards run
 * only after the body has been read. Call before `app.init()`, which registers the routes.
 */
export function declareAccess(app: INestApplication): void {
  for (const [controller, name, access] of accessOfMethods(app)) {
    const handler = controller.prototype[name] as object;
    const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as object | undefined;
    Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...config, ...access }, handler);
  }
}
