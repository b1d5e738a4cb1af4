import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

describe('models of the life of a job', () => {
  it('keep their rules, and each broken variant violates its own', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['deploy/local/models.mjs', '--samples', '100']);
    // Three correct ones, ten broken.
    expect(stdout.match(/✓/g)).toHaveLength(13);
  }, 240_000);
});
