import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { restConventions } from '@spooled/contracts';
import { accessOfRoutes, operationName } from './access-of-routes.js';
import { completeOperation, failures, type Operation } from './complete-operation.js';
import { convertSchema } from './json-schema.js';
import { forwardedPaths } from './passed-on-routes.js';

const about = `Jobs, queues, workers and organizations of Spooled.

Every error has the body \`Error\`. Every answer below /api/v1 has \`x-request-id\`, \`x-api-version\` and, where a limit applies,
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\`. Optional members of a request may be left out or null.`;

const credential = 'An API key (sk_live_… or sk_test_…) or an access token from POST /api/v1/auth/login';

/** OpenAPI 3.1 of the routes that this application has, from their decorators and schemas (SP-02). */
export function describeApi(app: NestFastifyApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Spooled')
    .setDescription(about)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addBearerAuth({ type: 'http', scheme: 'bearer', description: credential })
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-Admin-Key', description: 'ADMIN_API_KEY of the server' },
      'admin',
    )
    .addApiKey(
      { type: 'apiKey', in: 'query', name: 'token', description: 'An access token; accepted by streams only' },
      'queryToken',
    )
    .addApiKey(
      { type: 'apiKey', in: 'query', name: 'api_key', description: 'An API key; accepted by streams only' },
      'queryKey',
    )
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: operationName,
    standardSchemaConverter: convertSchema,
  });
  completePaths(app, document);
  Object.assign(document.paths, forwardedPaths());
  // Every failure refers to `Error`, which no route need name itself.
  const named = convertSchema(restConventions.errorBody, { schemaType: 'output' })?.components;
  const schemas = { ...document.components?.schemas, ...named };
  return { ...document, components: { ...document.components, responses: failures, schemas } };
}

/** Adds to every operation what its decorators do not say but the door does. */
function completePaths(app: NestFastifyApplication, document: OpenAPIObject): void {
  const access = accessOfRoutes(app);
  const seen = new Map<string, number>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item as unknown as Record<string, Operation>)) {
      // The generator numbers the paths of a handler that has several.
      const name = operation.operationId.replace(/\[\d+\]$/, '');
      operation.operationId = name;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      // A handler with an older path beside its own is two operations.
      if (count > 1) operation.operationId += `_${count}`;
      completeOperation(path, operation, access.get(name)!);
    }
  }
}
