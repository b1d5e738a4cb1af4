// Available type generators keep the names of the API. The SDK uses camelCase, and types that TypeScript itself converts are
// unreadable in an editor, so the names are converted here.
import { verbatim } from '../src/http/case.ts';

const camel = (name) => name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());
const asInApi = (name) => name;
const property = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
/** A type named `Error` would shadow the built-in one. */
const nameOf = (schema) => (schema === 'Error' ? 'Problem' : schema);
const exact = new Set(['get', 'put', 'post', 'patch', 'delete']);

/** TypeScript types of every route of an OpenAPI 3.1 document (query, body and response) and of the named schemas. */
export function renderRoutes({ paths, components }) {
  const shapes = Object.entries(components.schemas).map(
    ([name, schema]) => `export type ${nameOf(name)} = ${typeOf(schema)};`,
  );
  const routes = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => exact.has(method))
      .map(([method, operation]) => `'${method.toUpperCase()} ${path}': ${routeOf(operation)};`),
  );
  return `// Written by generate.mjs from docs/openapi.json. Do not edit.\n\n${shapes.join('\n')}\n
/** Every described route by method and path. Names are in camelCase, as the client converts them. */
export interface Routes {\n${routes.join('\n')}\n}\n`;
}

function routeOf({ parameters = [], requestBody, responses }) {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = jsonOf(requestBody);
  const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? [];
  const response = jsonOf(success);
  return `{
    query: ${query.length === 0 ? 'never' : objectOf(Object.fromEntries(query.map((q) => [q.name, q.schema])), [])};
    body: ${body ? typeOf(body) : 'never'};
    response: ${response ? typeOf(response) : 'void'};
  }`;
}

const jsonOf = (part) => part?.content?.['application/json']?.schema;

/** `toName` converts the names of members; below a member that the client leaves as it is, they stay. */
function typeOf(schema, toName = camel) {
  if (schema.$ref) return nameOf(schema.$ref.split('/').at(-1));
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  for (const [word, sign] of [
    ['anyOf', ' | '],
    ['oneOf', ' | '],
    ['allOf', ' & '],
  ]) {
    if (schema[word]) return `(${schema[word].map((each) => typeOf(each, toName)).join(sign)})`;
  }
  return [schema.type]
    .flat()
    .map((type) => bareTypeOf({ ...schema, type }, toName))
    .join(' | ');
}

function bareTypeOf(schema, toName) {
  if (schema.type === 'array') return `(${schema.items ? typeOf(schema.items, toName) : 'unknown'})[]`;
  if (schema.type === 'object')
    return mapOf(schema, toName) ?? objectOf(schema.properties ?? {}, schema.required ?? [], toName);
  return (
    { string: 'string', integer: 'number', number: 'number', boolean: 'boolean', null: 'null' }[schema.type] ??
    'unknown'
  );
}

/** The type of an object with arbitrary members. */
function mapOf({ properties, additionalProperties }, toName) {
  if (properties) return undefined;
  return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, toName) : 'unknown'}>`;
}

function objectOf(properties, required, toName = camel) {
  const lines = Object.entries(properties).map(
    ([name, schema]) =>
      `${property(toName(name))}${required.includes(name) ? '' : '?'}: ${typeOf(schema, verbatim.has(name) ? asInApi : toName)};`,
  );
  return lines.length === 0 ? 'Record<string, never>' : `{ ${lines.join(' ')} }`;
}
