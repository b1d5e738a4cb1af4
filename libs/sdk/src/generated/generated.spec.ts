import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = (script: string) => promisify(execFile)(process.execPath, [script, '--check']);

describe('generated types', () => {
  it('of REST are those of docs/openapi.json (else: npm run generate:openapi)', async () => {
    await run('libs/sdk/generate.mjs');
  });

  it('of gRPC, for services and SDK, are those of the proto files (else: npm run generate:grpc)', async () => {
    await run('libs/contracts/generate.mjs');
  });
});
