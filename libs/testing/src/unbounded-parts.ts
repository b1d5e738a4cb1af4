/** The keywords of JSON Schema that are checked. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  'x-max-bytes'?: number;
}

/** Formats with a fixed length. */
const fixedLength = new Set(['uuid']);

/**
 * The paths of a request's JSON schema whose size is unlimited: strings without `maxLength`, arrays without `maxItems`,
 * objects with arbitrary members and without `maxProperties`, and any JSON without `x-max-bytes`.
 * @param resolve the schema that a reference leads to
 */
export function unboundedParts(schema: object, path = 'body', resolve = noReferences): string[] {
  const own = schema as Schema;
  if (own.$ref !== undefined) return unboundedParts(resolve(own.$ref), path, resolve);
  const choices = [own.anyOf, own.oneOf, own.allOf].flatMap((each) => each ?? []);
  if (choices.length > 0) return choices.flatMap((choice) => unboundedParts(choice, path, resolve));
  if (own.enum !== undefined || own.const !== undefined || own['x-max-bytes'] !== undefined) return [];
  if (own.type === undefined) return [`${path}: any JSON`];
  return [own.type].flat().flatMap((type) => unboundedIn(own, type, path, resolve));
}

function unboundedIn(schema: Schema, type: string, path: string, resolve: (ref: string) => object): string[] {
  const { properties = {}, additionalProperties, items = {} } = schema;
  if (type === 'string') {
    return schema.maxLength === undefined && !fixedLength.has(schema.format ?? '') ? [`${path}: text`] : [];
  }
  if (type === 'array') {
    const own = schema.maxItems === undefined ? [`${path}: list`] : [];
    return [...own, ...unboundedParts(items, `${path}[]`, resolve)];
  }
  if (type !== 'object') return [];
  const isOpen = typeof additionalProperties === 'object' && schema.maxProperties === undefined;
  return [
    ...(isOpen ? [`${path}: members`] : []),
    ...Object.entries(properties).flatMap(([name, each]) => unboundedParts(each, `${path}.${name}`, resolve)),
  ];
}

function noReferences(ref: string): object {
  throw new Error(`cannot resolve ${ref}`);
}
