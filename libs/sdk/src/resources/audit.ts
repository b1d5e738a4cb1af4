import type { CallOptions, HttpClient } from '../http/http-client.js';
import type { List, ListQuery, Row } from '../routes.js';

export type AuditEntry = Row<'GET /api/v1/audit'>;

/** Who changed settings of the organization, and who deleted or moved many jobs. */
export class Audit {
  constructor(private readonly http: HttpClient) {}

  /** The newest first. @throws AccessDeniedError with a key for some queues only */
  list(query?: ListQuery<'GET /api/v1/audit'>, options?: CallOptions): Promise<List<AuditEntry>> {
    return this.http.list('GET /api/v1/audit', { ...options, query });
  }
}
