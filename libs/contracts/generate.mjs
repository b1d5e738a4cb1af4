import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// npm run generate:grpc: messages, services and descriptors from the proto files, for the services and for the SDK.
// With --check nothing is written, and the exit code says whether the files are current.

const root = join(import.meta.dirname, '../..');
const services = 'libs/contracts/src/grpc/generated';
const sdk = 'libs/sdk/src/generated/grpc';
const buf = (...args) => execFileSync(join(root, 'node_modules/.bin/buf'), args, { cwd: root });

/** What services and SDK share: plain objects, enums by name, 64-bit integers as numbers, `google.protobuf.Struct` by our codec. */
const options = [
  'outputServices=grpc-js',
  'env=node',
  'esModuleInterop=true',
  'importSuffix=.js',
  'forceLong=number',
  'stringEnums=true',
  'enumsAsLiterals=true',
  'unrecognizedEnum=false',
  'useDate=false',
  'useOptionals=messages',
  'useUnknownForValue=true',
  'outputJsonMethods=false',
  'outputPartialMethods=false',
  'exportCommonSymbols=false',
  'annotateFilesWithVersion=false',
];

const plugin = (out, extra) => ({
  local: [process.execPath, 'node_modules/ts-proto/protoc-gen-ts_proto'],
  out,
  opt: [...options, ...extra],
});

/** Every generated file: its path and its text. */
function generate() {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-grpc-'));
  try {
    const plugins = [
      plugin(services, ['snakeToCamel=false', 'Mgoogle/protobuf/struct.proto=../../../struct.js']),
      plugin(sdk, ['Mgoogle/protobuf/struct.proto=../../struct.js']),
    ];
    const template = JSON.stringify({ version: 'v2', plugins });
    buf('generate', 'libs/contracts/proto', '--template', template, '--output', folder);
    return new Map([...filesIn(folder), [`${services}/descriptors.ts`, descriptors()], [`${sdk}/struct.ts`, struct()]]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The proto files as the compiler sees them, for reflection and for reading messages by their schema. */
function descriptors() {
  const set = buf('build', 'libs/contracts/proto', '--as-file-descriptor-set', '--exclude-source-info', '-o', '-');
  return `// Written by libs/contracts/generate.mjs from libs/contracts/proto. Do not edit.

/** The compiled proto files and those that they import, as a \`google.protobuf.FileDescriptorSet\` in base64. */
export const fileDescriptorSet =
  '${set.toString('base64')}';\n`;
}

/** The SDK is published on its own, so it has a copy. */
const struct = () =>
  `// Copied from libs/contracts/src/grpc/struct.ts by libs/contracts/generate.mjs. Do not edit.\n\n` +
  readFileSync(join(root, 'libs/contracts/src/grpc/struct.ts'), 'utf8');

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]);

const current = () =>
  new Map([services, sdk].flatMap((part) => filesIn(join(root, part)).map(([name, text]) => [join(part, name), text])));

function check(wanted) {
  const existing = current();
  const stale = [...new Set([...wanted.keys(), ...existing.keys()])].filter(
    (path) => wanted.get(path) !== existing.get(path),
  );
  for (const path of stale) console.error(`${path} differs from the proto files: npm run generate:grpc`);
  if (stale.length > 0) process.exitCode = 1;
}

function write(wanted) {
  for (const part of [services, sdk]) rmSync(join(root, part), { recursive: true, force: true });
  for (const [path, text] of wanted) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const wanted = generate();
if (process.argv.includes('--check')) check(wanted);
else write(wanted);
