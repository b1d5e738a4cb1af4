export { Database, type DatabaseSettings } from './database/database.js';
export { isDatabaseUnavailable, isUniqueViolation, toDatabaseError } from './database/database-errors.js';
export type { BatchTransaction, SystemTransaction, TenantTransaction, Transaction } from './database/transactions.js';
export { migrate, type MigrateOptions, type MigrationReport } from './migrate/migrate.js';
export { MigrationError } from './migrate/migration-error.js';
