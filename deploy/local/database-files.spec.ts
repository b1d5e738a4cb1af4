import { databaseSources, readDatabaseRelease } from '@spooled/data-access';

interface Files {
  databaseRelease(root: string): object;
}

it('bundles name the migrations and functions that the migration applies', async () => {
  const path: string = './database-files.mjs';
  const { databaseRelease } = (await import(path)) as Files;
  const { migrations, functions } = readDatabaseRelease(databaseSources(process.cwd()));
  expect(databaseRelease(process.cwd())).toEqual({ migrations, functions });
});
