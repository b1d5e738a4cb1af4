import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { restConventions } from '@spooled/contracts';
import { z } from 'zod';

const about = `Jobs, queues, workers and organizations of Spooled.

Every error has the body \`Error\`. Every answer below /api/v1 has \`x-request-id\`, \`x-api-version\` and, where a limit applies,
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. Optional members of a request may be left out or null.`;

/** OpenAPI 3 of the routes that this application has, from their decorators and schemas (SP-02). */
export function describeApi(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setTitle('Spooled')
    .setDescription(about)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API key: sk_live_… or sk_test_…' })
    .addSecurityRequirements('bearer')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: (controller, method) => `${controller.replace(/Controller$/, '')}_${method}`,
  });
  return complete(document);
}

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string }[];
  responses: Record<string, unknown>;
}

const failure = {
  description: 'What went wrong',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/** Adds what holds for every operation: the error body, ids that are unique, and each parameter that its path names. */
function complete(document: OpenAPIObject): OpenAPIObject {
  const seen = new Map<string, number>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item as Record<string, Operation>)) {
      operation.responses.default = failure;
      const count = (seen.get(operation.operationId) ?? 0) + 1;
      seen.set(operation.operationId, count);
      // A handler with an older path beside its own is two operations.
      if (count > 1) operation.operationId += `_${count}`;
      namePathParameters(path, operation);
    }
  }
  const { $schema: _, ...error } = z.toJSONSchema(restConventions.errorBody, { target: 'openapi-3.0', io: 'output' });
  const schemas = { ...document.components?.schemas, Error: error as never };
  return { ...document, components: { ...document.components, schemas } };
}

function namePathParameters(path: string, operation: Operation): void {
  const parameters = (operation.parameters ??= []);
  for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
    if (name && !parameters.some((one) => one.in === 'path' && one.name === name)) {
      parameters.push({ name, in: 'path', required: true, schema: { type: 'string' } } as never);
    }
  }
}
