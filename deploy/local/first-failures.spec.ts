import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { folderProblem } from './folder-problem.js';
import { requireFreePorts } from './local-settings.js';
import { freePort } from './ports.js';
import { externalDatabase, provideRedis } from './stores.js';

const run = promisify(execFile);
const secrets = { appPassword: 'a', systemPassword: 's', redisPassword: 'r' } as never;

describe('npm start ends in one sentence with the remedy', () => {
  it('for a DATABASE_URL or DATABASE_DIRECT_URL that is not one of PostgreSQL', () => {
    const expected = /is not the URL of a PostgreSQL server: write postgres:/;
    expect(() => externalDatabase({ DATABASE_URL: 'localhost:5432' }, secrets)).toThrow(expected);
    const env = { DATABASE_URL: 'postgres://a@b/c', DATABASE_DIRECT_URL: 'b:5432' };
    expect(() => externalDatabase(env, secrets)).toThrow(/^DATABASE_DIRECT_URL /);
  });

  it('for a Redis that does not answer, before any service waits for it', async () => {
    const env = { REDIS_URL: `redis://127.0.0.1:${await freePort()}` };
    await expect(provideRedis('.data', env, secrets, () => undefined)).rejects.toThrow(
      /^Redis does not answer at 127\.0\.0\.1:\d+ \(connection refused\): start it, or correct host and port of REDIS_URL\.$/,
    );
  });

  it('for a port that another program uses', async () => {
    const [port, grpcPort] = [await freePort(), await freePort()];
    const { createServer } = await import('node:net');
    const other = createServer();
    await new Promise<void>((listening) => other.listen(grpcPort, '127.0.0.1', listening));
    try {
      const settings = { host: '127.0.0.1', port, grpcPort, metricsPort: port, dataDir: '.data', postgresSettings: {} };
      await expect(requireFreePorts(settings)).rejects.toThrow(
        `Port ${grpcPort} is in use by another program: stop it, or set GRPC_PORT to a free port.`,
      );
    } finally {
      other.close();
    }
  });

  it.each([
    [Object.assign(new Error('write'), { code: 'ENOSPC' }), /^The disk of \/data is full: free some space/],
    [new Error('initdb failed: No space left on device'), /^The disk of \/data is full: free some space/],
    [
      Object.assign(new Error('mkdir'), { code: 'EACCES', path: '/data/x' }),
      /^This user may not write \/data\/x \(EACCES\): set DATA_DIR/,
    ],
  ])('for a folder that it cannot write: %s', (error, expected) => {
    expect((folderProblem(error, '/data') as Error).message).toMatch(expected);
  });

  it('with the error itself where the folder is not the cause', () => {
    const error = new Error('syntax error');
    expect(folderProblem(error, '/data')).toBe(error);
  });
});

it.each(['dist/apps/engine/main.js', 'dist/migrate/main.js'])('%s names the Node.js that it needs', async (program) => {
  expect(existsSync(program)).toBe(true);
  const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.1.0'}})`;
  const ended = await run(process.execPath, ['--import', older, program]).catch((error: unknown) => error);
  expect(ended).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Spooled needs Node\.js 26 or newer.*: install/),
  });
});
