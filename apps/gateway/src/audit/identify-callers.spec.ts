import { callerContext, readRequests } from '@spooled/data-access';
import Fastify from 'fastify';
import { readSettings } from '@spooled/platform';
import { gatewaySettings } from '../gateway.config.js';
import { identifyCallers } from './identify-callers.js';

const settings = readSettings(gatewaySettings, { DATABASE_URL: 'postgres://spooled_app@127.0.0.1/none' });

describe('the context of a request', () => {
  it.each([
    ['GET', { reads: true, isNamed: false }],
    ['HEAD', { reads: true, isNamed: false }],
    ['POST', { reads: false, isNamed: true }],
    ['DELETE', { reads: false, isNamed: true }],
  ] as const)('says of %s whether it only reads, and who changes something otherwise', async (method, expected) => {
    const fastify = Fastify();
    identifyCallers(fastify, settings);
    let seen: object | null = null;
    const handler = async () => {
      await Promise.resolve();
      seen = { reads: readRequests.getStore() === true, isNamed: callerContext.getStore() !== undefined };
      return '';
    };
    fastify.route({ method, url: '/', handler });
    await fastify.inject({ method, url: '/' });
    expect(seen).toEqual(expected);
  });
});
