import { tierOf } from './route-tier.js';

it.each([
  ['POST', '/api/v1/auth/login', 'auth'],
  ['GET', '/api/v1/auth/me', 'auth'],
  ['POST', '/api/v1/organizations', 'auth'],
  ['GET', '/api/v1/organizations', 'read'],
  ['POST', '/api/v1/jobs', 'write'],
  ['DELETE', '/api/v1/jobs/:id', 'write'],
  ['GET', '/api/v1/jobs/:id', 'read'],
  ['POST', '/api/v1/jobs/claim', 'protocol'],
  ['POST', '/api/v1/jobs/:id/complete', 'protocol'],
  ['POST', '/api/v1/jobs/:id/retry', 'write'],
  ['POST', '/api/v1/workers/:id/heartbeat', 'protocol'],
])('PB-06 %s %s belongs to the tier %s', (method, path, tier) => {
  expect(tierOf(method, path)).toBe(tier);
});
