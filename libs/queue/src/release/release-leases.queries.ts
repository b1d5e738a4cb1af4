// Written by `npm run generate:sql` from the statements of the .sql file. Do not edit.
import { PreparedQuery } from '@spooled/data-access';
import sql from './release-leases.sql';

export interface ReleaseLeasesParams {
  leases: string;
  organizationId: string;
}

export interface ReleaseLeasesResult {
  cancel_requested: boolean;
  job_id: string;
  queue_name: string;
  released_at: string;
}

export interface ReleaseClaimsParams {
  claims: string;
  organizationId: string;
}

export interface ReleaseClaimsResult {
  cancel_requested: boolean;
  job_id: string;
  lease_id: string;
  queue_name: string;
  released_at: string;
}

export const releaseLeases = new PreparedQuery<ReleaseLeasesParams, ReleaseLeasesResult>(sql, 'releaseLeases');
export const releaseClaims = new PreparedQuery<ReleaseClaimsParams, ReleaseClaimsResult>(sql, 'releaseClaims');
