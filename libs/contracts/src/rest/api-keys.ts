import { longestQueueName, queueWildcardPattern, roles } from '@spooled/domain';
import { z } from 'zod';
import { listPage } from './conventions.js';
import { atMost, instant, nullableTimestamp, timestamp, whole } from './fields.js';

const name = atMost(100)
  .min(1, 'must not be empty')
  .regex(/^[\p{L}\p{N} \-_.()]*$/u, 'may hold letters, digits, spaces, "-", "_", ".", "(" and ")"');
const queue = atMost(longestQueueName)
  .min(1, 'must not be empty')
  .regex(queueWildcardPattern, 'may hold letters, digits, "-", "_", "." and "*"');
const queues = z.array(queue).max(50, 'must hold at most 50 queues');
export const role = z.enum(roles).meta({
  description:
    'What the key may do. admin: everything; operator: everything but keys, the organization, its secrets and billing; worker: create and run jobs; viewer: read.',
});
const rateLimit = whole(1, 10_000).meta({ description: 'Requests per minute' });

export const createApiKeyBody = z.object({
  name,
  queues: queues.nullish(),
  rate_limit: rateLimit.nullish(),
  role: role.nullish().meta({ description: 'Default: admin.' }),
  expires_at: instant.nullish(),
  permissions: z
    .unknown()
    .optional()
    .meta({ description: 'Not supported: restrict a key by `queues`.', 'x-max-bytes': 0 }),
});
export type CreateApiKeyBody = z.infer<typeof createApiKeyBody>;

/** Absent and null fields stay unchanged. */
export const updateApiKeyBody = z.object({
  name: name.nullish(),
  queues: queues.nullish(),
  rate_limit: rateLimit.nullish(),
  role: role.nullish(),
  is_active: z.boolean().nullish(),
});
export type UpdateApiKeyBody = z.infer<typeof updateApiKeyBody>;

export const listApiKeysQuery = z.object(listPage({ limit: 100 }));
export type ListApiKeysQuery = z.infer<typeof listApiKeysQuery>;

export const apiKeySummary = z
  .object({
    id: z.uuid(),
    organization_id: z.uuid(),
    key_prefix: z.string(),
    name: z.string(),
    queues: z.array(z.string()),
    rate_limit: z.int().nullable(),
    role,
    is_active: z.boolean(),
    created_at: timestamp,
    last_used: nullableTimestamp,
    expires_at: nullableTimestamp,
  })
  .meta({ id: 'ApiKey' });
export type ApiKeySummary = z.infer<typeof apiKeySummary>;

export const createdApiKey = z
  .object({
    id: z.uuid(),
    key: z.string().meta({ description: 'The key. It is shown only in this response.' }),
    name: z.string(),
    queues: z.array(z.string()),
    role,
    created_at: timestamp,
    expires_at: nullableTimestamp,
  })
  .meta({ id: 'CreatedApiKey' });
export type CreatedApiKey = z.infer<typeof createdApiKey>;
