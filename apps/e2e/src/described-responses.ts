import addFormats from 'ajv-formats';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import createRouter, { type HTTPMethod } from 'find-my-way';
import { allRoutes, apiDescription, type DescribedRoute } from './api-description.js';

const document = 'https://spooled.example/openapi.json';
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ ...apiDescription, $id: document });

const router = createRouter({ maxParamLength: 512 });
for (const route of allRoutes()) {
  const path = route.path.replaceAll(/\{(\w+)\}/g, ':$1');
  router.on(route.method as HTTPMethod, path, () => undefined, route);
}

const compiled = new Map<string, ValidateFunction>();

function validatorOf(pointer: string): ValidateFunction {
  const known = compiled.get(pointer);
  if (known) return known;
  const validator = ajv.compile({ $ref: `${document}#${encodeURI(pointer)}` });
  compiled.set(pointer, validator);
  return validator;
}

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');
const inContent = (pointer: string) => `${pointer}/content/${escaped('application/json')}/schema`;

/** JSON pointer to the schema of a response; null = described without a body, undefined = not described. */
function schemaPointer({ method, path, operation }: DescribedRoute, status: number): string | null | undefined {
  const { responses } = operation;
  const key = responses[status] ? String(status) : 'default';
  // Only errors may be described by `default`.
  if (key === 'default' && status < 400) return undefined;
  const response = responses[key];
  if (response?.$ref) return inContent(response.$ref.slice(1));
  if (!response?.content) return response && null;
  return inContent(`/paths/${escaped(path)}/${method.toLowerCase()}/responses/${key}`);
}

/** The route of a URL; undefined if it is not described. */
export const describedRoute = (method: string, url: string): DescribedRoute | undefined =>
  router.find(method as HTTPMethod, url.split('?', 1)[0]!)?.store as DescribedRoute | undefined;

/**
 * Checks a response against the OpenAPI document.
 * @param url from the root, with its query
 * @throws Error saying which members differ; not for routes that are not described
 */
export function expectDescribedResponse(method: string, url: string, status: number, body: unknown): void {
  const found = describedRoute(method, url);
  if (!found) return;
  const pointer = schemaPointer(found, status);
  const summary = `${method} ${url} returned ${status}`;
  if (pointer === undefined) throw new Error(`${summary}, which ${found.path} does not describe`);
  if (pointer === null) {
    if (body !== null) throw new Error(`${summary} with a body, where none is described: ${JSON.stringify(body)}`);
    return;
  }
  const validate = validatorOf(pointer);
  if (validate(body)) return;
  throw new Error(`${summary} unlike its description: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`);
}
