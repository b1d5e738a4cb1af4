import { flag, integer, setting } from '@spooled/platform';
import { z } from 'zod';

/** How callers without a valid credential are told apart, and how much each of them may do. */
export const addressSettings = {
  RATE_LIMIT_REQUESTS_PER_SECOND: setting(
    integer({ min: 1 }).default(100),
    'Requests a second of one address (of one /64 with IPv6) without a valid credential, failed attempts included, over all services.',
  ),
  RATE_LIMIT_BURST_SIZE: setting(integer({ min: 1 }).default(200), 'How many of them may come at once.'),
  TRUSTED_CLIENT_IP_HEADER: setting(
    z.string().optional(),
    "Header in which your proxy tells the caller's address, such as CF-Connecting-IP; no other header counts then.",
  ),
  TRUSTED_PROXY_HOPS: setting(
    integer({ min: 0, max: 10 }).default(0),
    'How many of your proxies are in front of this process, counted in X-Forwarded-For from its end. 0 = forwarded addresses are not believed. For realtime and webhooks the gateway or the ingress is one.',
  ),
};

/** What servers do about rates while Redis is down. */
export const rateLimitSettings = {
  RATE_LIMIT_FAIL_CLOSED: setting(
    flag().default(false),
    'Refuse with 503 while Redis is down, instead of counting in each process alone.',
  ),
};
