import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

describe('generated types', () => {
  it('are what the API description and the proto files say (else: npm run generate:sdk)', async () => {
    await promisify(execFile)(process.execPath, ['libs/sdk/generate.mjs', '--check']);
  });
});
