import { defineJob, type Logger } from '@spooled/sdk';
import { createTestDatabase, type TestDatabase } from '@spooled/testing';
import { z } from 'zod';
import { connect } from './connect.js';

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describe('one URL of PostgreSQL', () => {
  let database: TestDatabase;
  beforeAll(async () => void (database = await createTestDatabase({ empty: true })));
  afterAll(() => database?.drop());

  it('PB-22 migrates and runs a typed job, without passwords of roles', async () => {
    const greet = defineJob('greet', { payload: z.object({ name: z.string() }) }).handle(({ name }, { attempt }) => ({
      text: `Hello ${name}`,
      attempt,
    }));
    await using app = await connect(database.ownerUrl, { logger: silent });
    await app.work([greet]);
    expect(await greet.enqueueAndWait({ name: 'Ada' })).toEqual({ text: 'Hello Ada', attempt: 1 });
  });
});
