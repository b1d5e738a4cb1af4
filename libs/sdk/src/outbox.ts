export { OutboxRefusedError } from './outbox/delivery.js';
export {
  Outbox,
  type OutboxJobOptions,
  type OutboxOptions,
  type OutboxStatus,
  type RefusedJob,
} from './outbox/outbox.js';
export type { OutboxRelay } from './outbox/relay.js';
export type { DatabaseClient, SqlClient } from './sql/sql-client.js';
