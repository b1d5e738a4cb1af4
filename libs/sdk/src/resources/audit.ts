import type { Row } from '../routes.js';
import { Resource } from './resource.js';

export type AuditEntry = Row<'GET /api/v1/audit'>;

/** Who changed settings of the organization, and who deleted or moved many jobs. */
export class Audit extends Resource {
  /** The newest first. @throws AccessDeniedError with a key for some queues only */
  readonly list = this.rows('GET /api/v1/audit');
}
