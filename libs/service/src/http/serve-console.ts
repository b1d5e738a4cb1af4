import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import fastifyStatic from '@fastify/static';
import { notFound } from '@spooled/domain';
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from './error-response.js';

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
/** Read again each time: the time and size of a file, by which 304 is decided, may be those of another release's. */
const uncached = { cacheControl: false, etag: false, lastModified: false };

interface ConsoleOptions {
  folder?: string;
  /** `config` of the routes. */
  config?: FastifyContextConfig;
}

/**
 * Serves the console's files below /console. They are the same for everybody. Paths that are no file get the page, which shows the
 * screen of that path.
 * @returns false, without routes, if the console is not built
 */
export function serveConsole(
  fastify: FastifyInstance,
  { folder = join(process.cwd(), builtConsole), config }: ConsoleOptions = {},
): boolean {
  if (!existsSync(join(folder, 'index.html'))) return false;
  const files = filesOf(folder);
  void fastify.register(async (scope) => {
    await scope.register(fastifyStatic, { root: folder, serve: false, preCompressed: true });
    const send = (request: FastifyRequest, reply: FastifyReply): unknown => {
      const path = (request.params as { '*'?: string })['*'] ?? '';
      request.skipAccessLog = true;
      if (path.startsWith('assets/')) {
        if (files.has(path)) return reply.sendFile(path, hashed);
        // Another server may have it, during an update.
        return sendError(reply.header('cache-control', 'no-store'), notFound('File'));
      }
      const file = files.has(path) ? path : 'index.html';
      return reply.headers(pageHeaders).header('cache-control', 'no-cache').sendFile(file, uncached);
    };
    scope.get('/console', { config }, send);
    scope.get('/console/*', { config }, send);
  });
  return true;
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
