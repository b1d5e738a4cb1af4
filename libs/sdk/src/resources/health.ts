import { Resource } from './resource.js';

/** Health and statistics. */
export class HealthChecks extends Resource {
  /** @throws ServerError when the database is unavailable */
  readonly check = this.withoutInput('GET /health');
  /** An overview of the organization and the system. */
  readonly dashboard = this.withoutInput('GET /api/v1/dashboard');
}
