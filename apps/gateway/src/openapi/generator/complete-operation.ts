import { requestLimits } from '@spooled/contracts';
import { rolesThatMay } from '@spooled/domain';
import type { RouteAccess } from '../../auth/route-access.js';
import { mayBeAbsent } from './json-schema.js';

export interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: object }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Record<string, unknown> }> };
  responses: Record<string, unknown>;
  security?: Record<string, string[]>[];
  /** Scoped keys get 403. */
  'x-unscoped'?: true;
  /** Keys with other roles get 403. */
  'x-roles'?: readonly string[];
}

type Described = RouteAccess['access'];

const security: Record<Described, Record<string, string[]>[]> = {
  key: [{ bearer: [] }],
  unscoped: [{ bearer: [] }],
  signal: [{ signal: [] }],
  admin: [{ admin: [] }],
  public: [],
  unlimited: [],
  login: [],
  console: [{ console: [] }],
  registration: [],
  metrics: [],
};

const failure = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

/** Error responses that many operations share, by component name. */
export const failures = {
  BadRequest: failure('Invalid request: a field out of bounds, a body that is not JSON, or contradictory parameters'),
  Unauthorized: failure('The credential is missing, unknown, expired or revoked'),
  Forbidden: failure('The credential does not permit this operation'),
  NotFound: failure('Not found'),
  Malformed: failure('A required field is missing or has the wrong type'),
  TooManyRequests: failure('A rate limit or plan limit was reached'),
  Unavailable: failure('A dependency is unavailable; retry later'),
  Failure: failure('Error'),
} as const;

/** Adds the credential, the errors of admission and validation, and the parameters of the path. */
export function completeOperation(path: string, operation: Operation, { access, permission }: RouteAccess): void {
  operation.security = security[access];
  if (access === 'unscoped') operation['x-unscoped'] = true;
  if (permission) operation['x-roles'] = rolesThatMay[permission];
  describeBody(operation);
  boundPathParameters(path, operation);
  for (const [status, name] of statusesOf(operation, access)) {
    operation.responses[status] ??= { $ref: `#/components/responses/${name}` };
  }
}

function statusesOf({ requestBody, parameters = [] }: Operation, access: Described): [string, keyof typeof failures][] {
  const known = security[access].length > 0;
  const isIn = (place: string) => parameters.some((one) => one.in === place);
  const all: [boolean, string, keyof typeof failures][] = [
    [requestBody !== undefined || isIn('query'), '400', 'BadRequest'],
    [known, '401', 'Unauthorized'],
    [known && access !== 'admin', '403', 'Forbidden'],
    [isIn('path'), '404', 'NotFound'],
    [requestBody !== undefined, '422', 'Malformed'],
    [access !== 'unlimited', '429', 'TooManyRequests'],
    [true, '503', 'Unavailable'],
    [true, 'default', 'Failure'],
  ];
  return all.flatMap(([applies, status, name]) => (applies ? [[status, name]] : []));
}

function describeBody({ requestBody }: Operation): void {
  const schema = requestBody?.content['application/json']?.schema;
  if (!requestBody || !schema) return;
  requestBody.required = schema[mayBeAbsent] !== true;
  delete schema[mayBeAbsent];
}

function boundPathParameters(path: string, operation: Operation): void {
  const parameters = (operation.parameters ??= []);
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    if (name && !parameters.some((one) => one.in === 'path' && one.name === name)) {
      parameters.push({ name, in: 'path', required: true, schema: { type: 'string' } });
    }
  }
  for (const one of parameters) {
    if (one.in === 'path') one.schema = { ...one.schema, maxLength: requestLimits.pathParameterLength };
  }
}
