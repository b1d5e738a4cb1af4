import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import * as swagger from '@nestjs/swagger';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { restConventions } from '@spooled/contracts';
import { documented } from '../../http/routes.js';
import { accessByOperation, operationName } from './operation-access.js';
import { completeOperation, failures, type Operation } from './complete-operation.js';
import { convertSchema } from './json-schema.js';
import { forwardedPaths } from './forwarded-routes.js';

const apiDescription = `Jobs, queues, workers and organizations of Spooled.

Every error has the body \`Error\`. Every response below /api/v1 has \`x-request-id\`, \`x-api-version\` and, where a limit applies,
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\`, \`X-RateLimit-Reset\` and \`X-RateLimit-Scope\`.
A request takes one token of its limit; \`X-RateLimit-Cost\` says so if checks of payloads have taken more. Optional members of a request may be left out or null.
If a read replica answered a list, \`X-Replica-Lag-Ms\` says how old it may be; \`Cache-Control: no-cache\` asks for current data.`;

const credential = 'An API key (sk_live_… or sk_test_…) or an access token from POST /api/v1/auth/login';

const consoleCookie = {
  type: 'apiKey' as const,
  in: 'cookie',
  description: 'From POST /api/v1/console/session; counts only with the header X-Spooled-Console: 1',
};

/** OpenAPI 3.1 document of the application's routes, from their decorators and schemas (SP-02). */
export function describeApi(app: NestFastifyApplication): OpenAPIObject {
  applyDecorators();
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Spooled')
    .setDescription(apiDescription)
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
    .addApiKey({ type: 'apiKey', in: 'query', name: 'token', description: 'The token of a signal URL' }, 'signal')
    .addCookieAuth('__Host-spooled_console', consoleCookie, 'console')
    .build();
  const document = SwaggerModule.createDocument(app, config, {
    operationIdFactory: operationName,
    standardSchemaConverter: convertSchema,
  });
  completePaths(app, document);
  Object.assign(document.paths, forwardedPaths());
  // Every error response refers to the schema `Error`, which no route declares.
  const named = convertSchema(restConventions.errorBody, { schemaType: 'output' })?.components;
  const schemas = { ...document.components?.schemas, ...named };
  return { ...document, components: { ...document.components, responses: failures, schemas } };
}

/** Those whose uses are not applied yet. */
function applyDecorators(): void {
  for (const { decorator, args, target } of documented.splice(0)) {
    const make = swagger[decorator] as (...args: unknown[]) => (...target: unknown[]) => unknown;
    make(...args)(...target);
  }
}

/** Adds to every operation what follows from its access level. */
function completePaths(app: NestFastifyApplication, document: OpenAPIObject): void {
  const access = accessByOperation(app);
  const seen = new Map<string, number>();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const operation of Object.values(item as unknown as Record<string, Operation>)) {
      // The generator appends a number to the operations of a handler with several paths.
      const name = operation.operationId.replace(/\[\d+\]$/, '');
      operation.operationId = name;
      const count = (seen.get(name) ?? 0) + 1;
      seen.set(name, count);
      // A handler with two paths is two operations, which need different ids.
      if (count > 1) operation.operationId += `_${count}`;
      completeOperation(path, operation, access.get(name)!);
    }
  }
}
