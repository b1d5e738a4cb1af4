import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { jobSchemas, validationError } from '@spooled/contracts';
import { badRequest, invalidField } from '@spooled/domain';
import type { FastifyRequest } from 'fastify';

const name = 'Idempotency-Key';

const headerOf = ({ headers }: FastifyRequest): string | undefined => {
  const value = headers['idempotency-key'];
  return Array.isArray(value) ? value.join(', ') : value || undefined;
};

/** `@IdempotencyKey() key: string | undefined`: the header with which clients mark a request that they may repeat; empty = absent. */
export const IdempotencyKey = createParamDecorator((_: unknown, context: ExecutionContext) =>
  headerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** What the OpenAPI document says of it. */
export const idempotencyKeyHeader = {
  name,
  required: false,
  description: 'The same as `idempotency_key`; both may be given if they are equal.',
  schema: { type: 'string' as const, maxLength: 255 },
};

/**
 * The body of a new job with the key of the header, if there is one.
 * @throws SpooledError 400 for a header that is no key, or differs from the key of the body
 */
export function withIdempotencyKey(
  body: jobSchemas.CreateJobBody,
  header: string | undefined,
): jobSchemas.CreateJobBody {
  if (header === undefined) return body;
  const { idempotency_key: own } = body;
  if (own && own !== header) throw invalidField('idempotency_key', `must be equal to the header ${name}`);
  const key = jobSchemas.createJobBody.shape.idempotency_key.safeParse(header);
  if (!key.success)
    throw validationError(
      key.error.issues.map((issue) => ({ ...issue, path: [name] })),
      header,
    );
  return { ...body, idempotency_key: key.data };
}

/** Routes that create jobs and know no key for the whole request, without published ones, whose callers may send it. */
const withoutKey: ReadonlySet<string> = new Set(['/api/v1/batches', '/api/v1/batches/:id/jobs']);

/**
 * Refuses the header where it would have no effect: its sender repeats the request, and the jobs would be created twice.
 * @throws SpooledError 400
 */
export function refuseIdempotencyKey(request: FastifyRequest): void {
  if (request.method !== 'POST' || !withoutKey.has(request.routeOptions.url ?? '')) return;
  if (headerOf(request) === undefined) return;
  throw badRequest(
    `The header ${name} has no effect here. POST /jobs takes it, and each job of /jobs/bulk has idempotency_key`,
  );
}
