/** What `spooled init` puts into a project. The three files of TypeScript are those of the guide. */
export interface ProjectOptions {
  name: string;
  /** Letters and digits: it becomes part of URLs. */
  password: string;
  /** Of the packages; they are released together. */
  version: string;
}

const jobs = `import { defineJob } from 'spooled-sdk';
import { z } from 'zod';

export const greet = defineJob('greet', {
  payload: z.object({ name: z.string() }),
  retries: 5,
  timeout: '30s',
}).handle(({ name }, { log }) => {
  log.info('greeting', { name });
  return { text: \`Hello \${name}\` };
});
`;

const app = `import { connect } from 'spooled-embedded';
import { greet } from './jobs.ts';

const app = await connect(process.env.SPOOLED_URL!);
await app.work([greet]);
console.log(await greet.enqueueAndWait({ name: 'Ada' }));
await app.stop();
`;

const test = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSpooled } from 'spooled-embedded/testing';
import { greet } from './jobs.ts';

test('greets', async () => {
  await using spooled = await testSpooled(process.env.TEST_DATABASE_URL!, { jobs: [greet] });
  await greet.enqueue({ name: 'Ada' });
  await spooled.drain();
  assert.equal((await spooled.completed(greet))[0]?.result.text, 'Hello Ada');
});
`;

const compose = `# The database of this project and of its tests: docker compose up --wait
services:
  postgres:
    image: postgres:18-bookworm
    environment:
      POSTGRES_DB: spooled
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?is in .env}
    command: [postgres, -c, max_locks_per_transaction=256]
    ports: ['127.0.0.1:5432:5432']
    volumes: [postgres-data:/var/lib/postgresql]
    healthcheck:
      # Over TCP: while it is initialized the server listens only on its socket.
      test: [CMD, pg_isready, -h, 127.0.0.1, -U, postgres, -d, spooled]
      interval: 2s
volumes:
  postgres-data:
`;

const environmentOf = (
  password: string,
) => `# postgres://… runs the jobs in this process, https://<API key>@… at the services.
SPOOLED_URL=postgres://postgres:${password}@127.0.0.1:5432/spooled
# Where tests make their databases.
TEST_DATABASE_URL=postgres://postgres:${password}@127.0.0.1:5432/postgres
# For docker-compose.yml.
POSTGRES_PASSWORD=${password}
`;

const manifestOf = ({ name, version }: ProjectOptions) => ({
  name,
  private: true,
  type: 'module',
  // The first release that runs `await using` in TypeScript as it is.
  engines: { node: '>=24' },
  scripts: { start: 'node --env-file=.env app.ts', test: 'node --env-file=.env --test' },
  dependencies: { 'spooled-embedded': version, 'spooled-sdk': version, zod: '^4.6.7' },
});

/** Texts by the names of their files. */
export const projectFiles = (options: ProjectOptions): Record<string, string> => ({
  'package.json': `${JSON.stringify(manifestOf(options), null, 2)}\n`,
  'docker-compose.yml': compose,
  '.env': environmentOf(options.password),
  '.gitignore': '.env\nnode_modules/\n',
  'jobs.ts': jobs,
  'app.ts': app,
  'jobs.test.ts': test,
});
