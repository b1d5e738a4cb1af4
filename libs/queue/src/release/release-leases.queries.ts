/** Types generated for queries found in "libs/queue/src/release/release-leases.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ReleaseLeases' parameters type */
export interface ReleaseLeasesParams {
  leases: string;
  organizationId: string;
}

/** 'ReleaseLeases' return type */
export interface ReleaseLeasesResult {
  job_id: string;
  queue_name: string;
  released_at: string;
}

/** 'ReleaseLeases' query type */
export interface ReleaseLeasesQuery {
  params: ReleaseLeasesParams;
  result: ReleaseLeasesResult;
}

const releaseLeasesIR: any = {"usedParamSet":{"organizationId":true,"leases":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":110,"b":125}]},{"name":"leases","required":true,"transform":{"type":"scalar"},"locs":[{"a":128,"b":135}]}],"statement":"SELECT job_id AS \"job_id!\", queue_name AS \"queue_name!\", released_at AS \"released_at!\"\nFROM release_leases_v1(:organizationId!, :leases!)"};

/**
 * Query generated from SQL:
 * ```
 * SELECT job_id AS "job_id!", queue_name AS "queue_name!", released_at AS "released_at!"
 * FROM release_leases_v1(:organizationId!, :leases!)
 * ```
 */
export const releaseLeases = new PreparedQuery<ReleaseLeasesParams,ReleaseLeasesResult>(releaseLeasesIR);


/** 'ReleaseClaims' parameters type */
export interface ReleaseClaimsParams {
  claims: string;
  organizationId: string;
}

/** 'ReleaseClaims' return type */
export interface ReleaseClaimsResult {
  job_id: string;
  lease_id: string;
  queue_name: string;
  released_at: string;
}

/** 'ReleaseClaims' query type */
export interface ReleaseClaimsQuery {
  params: ReleaseClaimsParams;
  result: ReleaseClaimsResult;
}

const releaseClaimsIR: any = {"usedParamSet":{"organizationId":true,"claims":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":135,"b":150}]},{"name":"claims","required":true,"transform":{"type":"scalar"},"locs":[{"a":153,"b":160}]}],"statement":"SELECT job_id AS \"job_id!\", queue_name AS \"queue_name!\", lease_id AS \"lease_id!\", released_at AS \"released_at!\"\nFROM release_claims_v1(:organizationId!, :claims!)"};

/**
 * Query generated from SQL:
 * ```
 * SELECT job_id AS "job_id!", queue_name AS "queue_name!", lease_id AS "lease_id!", released_at AS "released_at!"
 * FROM release_claims_v1(:organizationId!, :claims!)
 * ```
 */
export const releaseClaims = new PreparedQuery<ReleaseClaimsParams,ReleaseClaimsResult>(releaseClaimsIR);


