import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import protobuf from 'protobufjs';

const scalars = { string: 'string', bool: 'boolean', int32: 'number', int64: 'string', double: 'number' };

/** TypeScript for the messages as @grpc/proto-loader decodes them with `longs: String, enums: String, defaults: true`. */
export function renderMessages(folder) {
  const { nested } = load(folder).lookup('spooled.v1');
  const types = Object.values(nested).flatMap((item) => {
    if (item instanceof protobuf.Enum) return [`export type ${item.name} = ${names(item.values)};`];
    return item instanceof protobuf.Type
      ? [`export interface ${item.name} {${item.fieldsArray.map(fieldOf).join('\n')}}`]
      : [];
  });
  return `// Written by generate.mjs from libs/contracts/proto. Do not edit.

import type { Struct, Timestamp } from '../grpc/well-known.js';\n\n${types.join('\n\n')}\n`;
}

/** The same contract as JSON, so that the package needs no files beside its code. */
export function renderProtocol(folder) {
  return `// Written by generate.mjs from libs/contracts/proto. Do not edit.

/** The gRPC contract, as @grpc/proto-loader's \`fromJSON\` reads it. */
export const protocol = ${JSON.stringify(load(folder).toJSON())};\n`;
}

function load(folder) {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) =>
    target.startsWith('google/') || target.startsWith('/') ? target : join(folder, target);
  const own = readdirSync(join(folder, 'spooled/v1')).map((name) => `spooled/v1/${name}`);
  return root.loadSync(own, { keepCase: false });
}

const names = (values) =>
  Object.keys(values)
    .map((name) => JSON.stringify(name))
    .join(' | ');

function fieldOf(field) {
  const type = scalars[field.type] ?? field.type.split('.').at(-1);
  if (field.map) return `${field.name}: Record<string, ${type}>;`;
  if (field.repeated) return `${field.name}: ${type}[];`;
  if (field.partOf) return `${field.name}?: ${type} | null;`;
  return `${field.name}: ${type}${isMessage(field) ? ' | null' : ''};`;
}

const isMessage = (field) => field.resolve().resolvedType instanceof protobuf.Type;
