import { badRequest } from '@spooled/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendError, toSpooledError } from './error-response.js';

const securityHeaders = {
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'x-xss-protection': '1; mode=block',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'permissions-policy': 'accelerometer=(), camera=(), geolocation=(), microphone=()',
};
const strictTransport = { 'strict-transport-security': 'max-age=31536000; includeSubDomains; preload' };

const apiVersion = '1';
const wellFormedVersion = /^[A-Za-z0-9.]{1,16}$/;

/** Only a well-formed version that does not exist is rejected; a malformed one counts as the default. */
function isUnsupported(requested: string | string[] | undefined): boolean {
  return typeof requested === 'string' && wellFormedVersion.test(requested) && requested !== apiVersion;
}

/** The headers of every response (SP-69). */
export const responseHeaders = ({ ENABLE_HSTS }: { ENABLE_HSTS: boolean }): Readonly<Record<string, string>> =>
  ENABLE_HSTS ? { ...securityHeaders, ...strictTransport } : securityHeaders;

/** The header of every response below /api/v1 (SP-16). */
export const versionHeader = { 'x-api-version': apiVersion };

/** Puts the security headers on every response and the API version on those below /api/v1. */
export function addResponseHeaders(fastify: FastifyInstance, settings: { ENABLE_HSTS: boolean }): void {
  const headers = responseHeaders(settings);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers);
    if (!request.url.startsWith('/api/v1')) return done();
    void reply.headers(versionHeader);
    const requested = request.headers['x-api-version'];
    done(
      isUnsupported(requested) ? badRequest(`API version ${requested} is not supported; use ${apiVersion}`) : undefined,
    );
  });
}

/** Responds to requests that the router rejects before any hook, with the same headers and error body. */
export function rejectUnroutable(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers({ ...securityHeaders, ...versionHeader, 'x-request-id': request.id });
  sendError(reply, toSpooledError(error));
}
