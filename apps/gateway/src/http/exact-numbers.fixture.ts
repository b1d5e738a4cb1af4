import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTenant, createTestDatabase, root, type TestDatabase, type TestTenant } from '@spooled/testing';
import { startGateway, type TestGateway } from '../gateway.fixture.js';

const adminKey = 'admin-key-of-this-spec';
let database: TestDatabase;
let gateway: TestGateway;
let tenant: TestTenant;

/** Starts a gateway with a database and a tenant of its own. */
export async function openRoutes(): Promise<void> {
  database = await createTestDatabase();
  tenant = await createTenant(database.superuserUrl);
  gateway = await startGateway(database, { env: { ADMIN_API_KEY: adminKey } });
  await call('POST', '/outgoing-webhooks', '{"name":"all","url":"https://example.com","events":["job.completed"]}');
}

export async function closeRoutes(): Promise<void> {
  await gateway?.stop();
  await database?.drop();
}

/** Texts, because parsing them would round the numbers that this spec is about. */
export async function call(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: string) {
  const response = await gateway.app.inject({
    method,
    url: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${tenant.key}`,
      'x-admin-key': adminKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    payload: body,
    // The administration counts calls by address.
    remoteAddress: `10.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
  });
  return { status: response.statusCode, text: response.body };
}

export async function succeed(...request: Parameters<typeof call>): Promise<string> {
  const { status, text } = await call(...request);
  if (status >= 300) throw new Error(`${request.join(' ')}: ${status} ${text}`);
  return text;
}

export const idOf = (text: string, name = 'id'): string => (JSON.parse(text) as Record<string, string>)[name]!;
export const create = async (path: string, body: string) => idOf(await succeed('POST', path, body));
export const job = (document: string) => `{"queue_name":"q","payload":${document}}`;

export async function claimed(queue = `q-${randomUUID()}`): Promise<string> {
  const id = await create('/jobs', `{"queue_name":"${queue}","payload":{},"max_retries":0}`);
  await succeed('POST', '/jobs/claim', `{"queue_name":"${queue}","worker_id":"w"}`);
  return id;
}

export async function webhookDeliveries(): Promise<string> {
  const [webhook] = JSON.parse(await succeed('GET', '/outgoing-webhooks')) as [{ id: string }];
  return succeed('GET', `/outgoing-webhooks/${webhook.id}/deliveries?limit=1`);
}

export interface Member {
  /** Sends a document as this member of the route's body. */
  write(document: string): Promise<{ status: number; text: string }>;
  /** The responses that must hold the document, given that of `write`. */
  read(written: string): Promise<string[]>;
  /** Stored as `jsonb`, which writes numbers without exponents. */
  isJsonb?: boolean;
  isObject?: boolean;
  /** How the error names the member. */
  field?: string;
}

export const ofJob = async (id: string) => [await succeed('GET', `/jobs/${id}`)];
export const ofSchedule = async (id: string) => [
  await succeed('GET', `/schedules/${id}`),
  await succeed('GET', '/schedules?limit=1'),
];
export const schedule = (member: string) =>
  `"name":"s","cron_expression":"0 0 1 1 *","queue_name":"q","payload_template":1,${member}`;
export const workflow = (member: string, ofTheJob = '') =>
  `{"name":"w","jobs":[{"key":"a","queue_name":"q","payload":1${ofTheJob}}]${member}}`;
export const ofWorkflow = async (written: string) => [
  await succeed('GET', `/workflows/${idOf(written, 'workflow_id')}`),
  await succeed('GET', '/workflows?limit=1'),
];
export const ofWorkflowJob = async (written: string) => {
  const { workflow_id: id, job_ids } = JSON.parse(written) as { workflow_id: string; job_ids: [{ job_id: string }] };
  return [await succeed('GET', `/workflows/${id}`), ...(await ofJob(job_ids[0].job_id))];
};
export const ofBatch = async (written: string) => [
  written,
  await succeed('GET', `/batches/${idOf(written)}`),
  await succeed('GET', '/batches?limit=1'),
];
export const ofBatchCallback = async (written: string) => {
  const queue = `q-${randomUUID()}`;
  const dying = `{"queue_name":"${queue}","jobs":[{"payload":{},"max_retries":0}]}`;
  if (written.includes('"name":"on_death"')) await succeed('POST', `/batches/${idOf(written)}/jobs`, dying);
  const { jobs } = JSON.parse(
    await succeed('POST', '/jobs/claim', `{"queue_name":"${queue}","worker_id":"w"}`),
  ) as Claim;
  for (const { id } of jobs) await succeed('POST', `/jobs/${id}/fail`, '{"worker_id":"w","error":"no"}');
  await succeed('POST', `/batches/${idOf(written)}/close`);
  const batch = JSON.parse(await succeed('GET', `/batches/${idOf(written)}`)) as Batch;
  return ofJob(Object.values(batch.callback_job_ids).find((id) => id !== null)!);
};
interface Claim {
  jobs: { id: string }[];
}
interface Batch {
  callback_job_ids: Record<string, string | null>;
}
export const organization = () => `/organizations/${tenant.organizationId}`;
export const adminOrganization = () => `/admin${organization()}`;
export const newOrganization = (member: string) => `{"name":"Spec","slug":"spec-${randomUUID()}",${member}}`;
export const ofOrganization = async () => [
  await succeed('GET', organization()),
  await succeed('GET', adminOrganization()),
];
export const ofNewOrganization = async (written: string) => [
  written,
  await succeed('GET', `/admin/organizations/${idOf(written)}`),
];
export const worker = (id: string) => `{"queue_name":"q","hostname":"h","worker_id":"${id}"}`;

/** jsonb puts a blank behind commas and colons. */
export const withoutBlanks = (text: string) => text.replaceAll(/(?<=[:,]) /g, '');

interface Schema {
  'x-max-bytes'?: number;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
}

function* documentsIn(schema: Schema, path: string[] = []): Generator<string> {
  if (schema['x-max-bytes']) yield path.join('.');
  for (const one of schema.anyOf ?? []) yield* documentsIn(one, path);
  for (const [name, member] of Object.entries(schema.properties ?? {})) yield* documentsIn(member, [...path, name]);
  if (schema.items) yield* documentsIn(schema.items, [...path, '*']);
}

/** Routes of another service; its specs cover them. */
const isForwarded = (member: string) => member.startsWith('POST /webhooks/');

/** Every member of a request body that the API description calls a document: method, path and member. */
export function describedMembers(): string[] {
  const { paths } = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>;
  };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) =>
      [...documentsIn(requestBody?.content['application/json']?.schema ?? {})].map(
        (member) => `${method.toUpperCase()} ${path.replace('/api/v1', '')} ${member}`,
      ),
    ),
  );
  return described.filter((member) => !isForwarded(member));
}
