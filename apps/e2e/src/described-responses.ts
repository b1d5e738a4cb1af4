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
  const made = ajv.compile({ $ref: `${document}#${encodeURI(pointer)}` });
  compiled.set(pointer, made);
  return made;
}

const escaped = (step: string) => step.replaceAll('~', '~0').replaceAll('/', '~1');
const inContent = (pointer: string) => `${pointer}/content/${escaped('application/json')}/schema`;

/** Where the schema of an answer is; null = no body is described, undefined = no such answer is. */
function schemaPointer({ method, path, operation }: DescribedRoute, status: number): string | null | undefined {
  const { responses } = operation;
  const key = responses[status] ? String(status) : 'default';
  // What goes well is described one by one; only failures may be the general one.
  if (key === 'default' && status < 400) return undefined;
  const response = responses[key];
  if (response?.$ref) return inContent(response.$ref.slice(1));
  if (!response?.content) return response && null;
  return inContent(`/paths/${escaped(path)}/${method.toLowerCase()}/responses/${key}`);
}

/** The route that a URL leads to; undefined when the description knows none. */
export const describedRoute = (method: string, url: string): DescribedRoute | undefined =>
  router.find(method as HTTPMethod, url.split('?', 1)[0]!)?.store as DescribedRoute | undefined;

/**
 * Holds an answer against the API's description.
 * @param url from the root, with its query
 * @throws Error saying which members differ; not for routes that the description does not know
 */
export function expectDescribedResponse(method: string, url: string, status: number, body: unknown): void {
  const found = describedRoute(method, url);
  if (!found) return;
  const pointer = schemaPointer(found, status);
  const told = `${method} ${url} answered ${status}`;
  if (pointer === undefined) throw new Error(`${told}, which ${found.path} does not describe`);
  if (pointer === null) {
    if (body !== null) throw new Error(`${told} with a body, where none is described: ${JSON.stringify(body)}`);
    return;
  }
  const validate = validatorOf(pointer);
  if (validate(body)) return;
  throw new Error(`${told} unlike its description: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`);
}
