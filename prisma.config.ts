import { defineConfig } from 'prisma/config';

/** For Prisma's own command line (`migrate status`, `validate`); the services do not read it. */
export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_DIRECT_URL ?? '' },
});
