import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

// npm run generate:grpc: messages, services and descriptors from the proto files.
// With --check nothing is written, and the exit code says whether the files are current.

const root = join(import.meta.dirname, '../..');
const generated = 'libs/contracts/src/grpc/generated';
const buf = (...args) => execFileSync(join(root, 'node_modules/.bin/buf'), args, { cwd: root });

/** Plain objects, names as in the proto files, enums by name, 64-bit integers as numbers, `google.protobuf.Struct` by our codec. */
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
  'snakeToCamel=false',
  'Mgoogle/protobuf/struct.proto=../../../struct.js',
];

/** Every generated file: its path and its text. */
function generate() {
  const folder = mkdtempSync(join(tmpdir(), 'spooled-grpc-'));
  try {
    const plugin = {
      local: [process.execPath, 'node_modules/ts-proto/protoc-gen-ts_proto'],
      out: generated,
      opt: options,
    };
    const template = JSON.stringify({ version: 'v2', plugins: [plugin] });
    buf('generate', 'libs/contracts/proto', '--template', template, '--output', folder);
    return new Map([...filesIn(folder), [`${generated}/descriptors.ts`, descriptors()]]);
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

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]);

const current = () => new Map(filesIn(join(root, generated)).map(([name, text]) => [join(generated, name), text]));

function check(wanted) {
  const existing = current();
  const stale = [...new Set([...wanted.keys(), ...existing.keys()])].filter(
    (path) => wanted.get(path) !== existing.get(path),
  );
  for (const path of stale) console.error(`${path} differs from the proto files: npm run generate:grpc`);
  if (stale.length > 0) process.exitCode = 1;
}

function write(wanted) {
  rmSync(join(root, generated), { recursive: true, force: true });
  for (const [path, text] of wanted) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const wanted = generate();
if (process.argv.includes('--check')) check(wanted);
else write(wanted);
