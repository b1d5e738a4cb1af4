import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { notFound } from '@spooled/domain';
import type { AppLogger } from '@spooled/platform';
import { sendError } from '@spooled/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { RouteAccess } from '../auth/route-access.js';

/** Where the build of `apps/console` is, from the folder in which services are started. */
const builtConsole = 'dist/apps/console';

/** The page loads only files of this server, and no other page may embed it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
};

/** Their names change with their content. */
const hashed = { immutable: true, maxAge: '365d' };
/** Asked for again each time, answered with 304 while unchanged. */
const revalidated = { cacheControl: false };

interface ConsoleOptions {
  enabled: boolean;
  logger: AppLogger;
  folder?: string;
}

/**
 * Serves the console's files below /console, without credential and rate limit: they are the same for everybody. Paths that are no
 * file get the page, which shows the screen of that path.
 */
export function serveConsole(
  fastify: FastifyInstance,
  { enabled, logger, folder = join(process.cwd(), builtConsole) }: ConsoleOptions,
): void {
  if (!enabled) return;
  if (!existsSync(join(folder, 'index.html'))) {
    return logger.warn({ folder }, 'the console is not built, /console is not served; "npm run build" builds it');
  }
  const files = filesOf(folder);
  void fastify.register(async (scope) => {
    await scope.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
    const send = (request: FastifyRequest, reply: FastifyReply): unknown => {
      const path = (request.params as { '*'?: string })['*'] ?? '';
      request.skipAccessLog = true;
      if (path.startsWith('assets/')) {
        return files.has(path) ? reply.sendFile(path, hashed) : sendError(reply, notFound('File'));
      }
      const file = files.has(path) ? path : 'index.html';
      return reply.headers(pageHeaders).header('cache-control', 'no-cache').sendFile(file, revalidated);
    };
    const config = { access: 'unlimited' } satisfies Partial<RouteAccess>;
    scope.get('/console', { config }, send);
    scope.get('/console/*', { config }, send);
  });
}

/** Paths below the folder, with slashes. Read once: a build is not changed while it is served. */
const filesOf = (folder: string): ReadonlySet<string> =>
  new Set(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(folder.length + 1)
          .replaceAll(sep, '/'),
      ),
  );
