import { flag, integer, setting } from '@spooled/platform';
import { z } from 'zod';

/** Rate limits of callers without a valid credential, by address. */
export const addressSettings = {
  RATE_LIMIT_REQUESTS_PER_SECOND: setting(
    integer({ min: 1 }).default(100),
    'Requests per second of one address (of one /64 with IPv6) without a valid credential, including failed attempts, over all services.',
  ),
  RATE_LIMIT_BURST_SIZE: setting(integer({ min: 1 }).default(200), 'Burst of RATE_LIMIT_REQUESTS_PER_SECOND.'),
  TRUSTED_CLIENT_IP_HEADER: setting(
    z.string().optional(),
    "Header in which your proxy sends the caller's address, such as CF-Connecting-IP; other headers are then ignored.",
  ),
  TRUSTED_PROXY_HOPS: setting(
    integer({ min: 0, max: 10 }).default(0),
    'Number of your own proxies in front of this process, counted from the end of X-Forwarded-For. 0 = the header is ignored. For realtime and webhooks the gateway or the ingress counts as one.',
  ),
};

/** Rate limits as a whole, and while Redis is down. */
export const rateLimitSettings = {
  RATE_LIMIT_ENABLED: setting(
    flag().default(true),
    'Rate limits of organizations, keys and addresses. `false` keeps only those against guessing secrets: logins and administration.',
  ),
  RATE_LIMIT_FAIL_CLOSED: setting(
    flag().default(false),
    'Refuse with 503 while Redis is down, instead of counting in each process alone. Without REDIS_URL each process always counts alone.',
  ),
};

/** What waits for clients to read it. */
export const unsentSettings = {
  MAX_UNSENT_BYTES: setting(
    integer({ min: 1_048_576 }).default(67_108_864),
    'Bytes that wait in this process for clients to read them, in shares of organizations: responses, jobs that streams have claimed, live events. Beyond its share an organization gets 503, its job streams claim nothing, and its event streams with the most bytes are closed. Responses that are being made may exceed it.',
  ),
};
