import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { requestLimits } from '@spooled/contracts';
import type { FastifyInstance } from 'fastify';
import createRouter, { type HTTPMethod } from 'find-my-way';

const methods: HTTPMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Finds the methods of a path, for 405 responses: Fastify responds to a wrong method with 404. */
@Injectable()
export class RouteMethods {
  private readonly router: ReturnType<typeof createRouter>;

  constructor(http: HttpAdapterHost) {
    const fastify = http.httpAdapter.getInstance<FastifyInstance>();
    this.router = createRouter({ maxParamLength: requestLimits.pathParameterLength });
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) this.add(one as HTTPMethod, url);
    });
  }

  of(url: string): string[] {
    const path = url.split('?', 1)[0]!;
    return methods.filter((method) => this.router.find(method, path) !== null);
  }

  private add(method: HTTPMethod, url: string): void {
    if (methods.includes(method) && !this.router.hasRoute(method, url)) this.router.on(method, url, () => undefined);
  }
}
