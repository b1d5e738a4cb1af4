import { type Body, type CallOptions, NotFoundError, type Spooled } from '@spooled/sdk';
import { toWire } from '@spooled/sdk/internal';
import { UsageError } from '../errors.js';
import { pagesByCursor, pagesByOffset } from '../io/pages.js';

type QueueBody = Body<'PUT /api/v1/queues/{name}/config'>;
type ScheduleBody = Omit<Body<'PUT /api/v1/schedules/{id}'>, 'name'>;
type WebhookBody = Omit<Body<'PUT /api/v1/outgoing-webhooks/{id}'>, 'name'>;

/** A resource that exists. */
export interface Current {
  id: string;
  name: string;
  /** With the names of the API. */
  members: Record<string, unknown>;
}

type Members = Record<string, unknown>;

/** What can be described in a file, and how it is read and written. */
export interface Kind {
  /** Its section in a file. */
  section: string;
  /** Members under their names in the API. */
  members: string[];
  /** Members, also of `settings`, that the server never returns, so that they cannot be compared. */
  secret: string[];
  /** All that exist; those of these names at least. */
  list(client: Spooled, names: string[], call: CallOptions): Promise<Current[]>;
  /** @returns with its id, of those whose names may be taken twice */
  create(client: Spooled, name: string, members: Members, call: CallOptions): Promise<{ id?: string }>;
  change(client: Spooled, current: Current, members: Members, call: CallOptions): Promise<unknown>;
  remove(client: Spooled, current: Current, call: CallOptions): Promise<unknown>;
}

/** @returns false when another has done it */
export const removeIfThere = (client: Spooled, kind: KindName, current: Current, call: CallOptions): Promise<boolean> =>
  kinds[kind].remove(client, current, call).then(() => true, whenMissing(false));

/** What a call for something that does not exist gives instead of its error. */
const whenMissing =
  <T>(instead: T) =>
  (error: unknown): T => {
    if (error instanceof NotFoundError) return instead;
    throw error;
  };

export type KindName = 'queue' | 'schedule' | 'webhook';

/** Names of the API for the members of a body; one that is missing does not compile. */
const wireNames = <T>(members: Record<keyof T, string>): string[] => Object.values(members);

/** Files have the names of the API, which the client leaves as they are. */
const body = <T>(members: Members): T => members as T;

const everything = { limit: Infinity, all: true };

async function collected<T extends { id?: string; name?: string; queueName?: string }>(
  pages: AsyncIterable<T[]>,
): Promise<Current[]> {
  const found: Current[] = [];
  for await (const page of pages) {
    for (const row of page) {
      const name = row.name ?? row.queueName ?? '';
      found.push({ id: row.id ?? name, name, members: toWire(row) as Members });
    }
  }
  return found;
}

const queue: Kind = {
  section: 'queues',
  members: wireNames<QueueBody>({
    maxRetries: 'max_retries',
    defaultTimeout: 'default_timeout',
    rateLimit: 'rate_limit',
    enabled: 'enabled',
    settings: 'settings',
  }),
  secret: ['callback_headers', 'callback_secret'],
  list: async (client, names, call) => {
    const listed = await collected(pagesByOffset((page) => client.queues.list(page, call), everything));
    // Only a single queue has its settings.
    const known = listed.filter(({ name }) => names.includes(name));
    const settled = await Promise.all(known.map(({ name }) => readQueue(client, name, call)));
    return listed.map((row) => settled.find((each) => each?.name === row.name) ?? row);
  },
  create: async (client, name, members, call) => {
    await client.queues.configure(name, body(members), call);
    return {};
  },
  change: (client, { name }, members, call) => client.queues.configure(name, body(members), call),
  // Refused while it has jobs: a file never deletes jobs.
  remove: (client, { name }, call) => client.queues.delete(name, call),
};

const readQueue = (client: Spooled, name: string, call: CallOptions): Promise<Current | undefined> =>
  client.queues
    .get(name, call)
    .then((found) => ({ id: name, name, members: toWire(found) as Members }), whenMissing(undefined));

const schedule: Kind = {
  section: 'schedules',
  members: wireNames<ScheduleBody>({
    description: 'description',
    cronExpression: 'cron_expression',
    timezone: 'timezone',
    queueName: 'queue_name',
    payloadTemplate: 'payload_template',
    isActive: 'is_active',
    metadata: 'metadata',
    priority: 'priority',
    maxRetries: 'max_retries',
    timeoutSeconds: 'timeout_seconds',
    tags: 'tags',
    callbackUrl: 'callback_url',
    callbackHeaders: 'callback_headers',
    callbackSecret: 'callback_secret',
    callbackTimeoutSeconds: 'callback_timeout_seconds',
    backoff: 'backoff',
  }),
  secret: ['callback_headers', 'callback_secret'],
  list: (client, _names, call) => collected(pagesByCursor((page) => client.schedules.list(page, call), everything)),
  create: async (client, name, { is_active: isActive, ...members }, call) => {
    if (members.payload_template === undefined) members.payload_template = {};
    const { id } = await client.schedules.create(body({ name, ...members }), call);
    if (isActive === false) await client.schedules.pause(id, call);
    return { id };
  },
  change: (client, { id }, members, call) => client.schedules.update(id, body(members), call),
  remove: (client, { id }, call) => client.schedules.delete(id, call),
};

const webhook: Kind = {
  section: 'webhooks',
  members: wireNames<WebhookBody>({
    url: 'url',
    events: 'events',
    format: 'format',
    secret: 'secret',
    enabled: 'enabled',
    retrySeconds: 'retry_seconds',
  }),
  secret: ['secret'],
  list: (client, _names, call) =>
    collected(pagesByOffset((page) => client.outgoingWebhooks.list(page, call), everything)),
  create: (client, name, members, call) => client.outgoingWebhooks.create(body({ name, ...members }), call),
  change: (client, { id }, members, call) => client.outgoingWebhooks.update(id, body(members), call),
  remove: (client, { id }, call) => client.outgoingWebhooks.delete(id, call),
};

/** In the order in which they are created: schedules need their queues. */
export const kinds: Record<KindName, Kind> = { queue, schedule, webhook };

/** @throws UsageError when two that exist have this name, because then nobody can say which is meant */
export function findByName(kind: KindName, all: Current[], name: string): Current | undefined {
  const found = all.filter((each) => each.name === name);
  if (found.length > 1)
    throw new UsageError(`${found.length} ${kinds[kind].section} are named "${name}": rename all but one`);
  return found[0];
}
