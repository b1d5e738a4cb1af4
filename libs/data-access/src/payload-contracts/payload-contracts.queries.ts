/** Types generated for queries found in "libs/data-access/src/payload-contracts/payload-contracts.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'ListCurrentContracts' parameters type */
export type ListCurrentContractsParams = void;

/** 'ListCurrentContracts' return type */
export interface ListCurrentContractsResult {
  id: string;
  mode: string;
  queue_name: string;
  version: number;
}

/** 'ListCurrentContracts' query type */
export interface ListCurrentContractsQuery {
  params: ListCurrentContractsParams;
  result: ListCurrentContractsResult;
}

const listCurrentContractsIR: any = {"usedParamSet":{},"params":[],"statement":"-- The queues of the current organization that have a payload contract. Index: payload_contracts_current.\nSELECT queue_name, id, version, mode FROM payload_contracts WHERE organization_id = current_organization() AND is_current"};

/**
 * Query generated from SQL:
 * ```
 * -- The queues of the current organization that have a payload contract. Index: payload_contracts_current.
 * SELECT queue_name, id, version, mode FROM payload_contracts WHERE organization_id = current_organization() AND is_current
 * ```
 */
export const listCurrentContracts = new PreparedQuery<ListCurrentContractsParams,ListCurrentContractsResult>(listCurrentContractsIR);


/** 'FindContractSchema' parameters type */
export interface FindContractSchemaParams {
  id: string;
}

/** 'FindContractSchema' return type */
export interface FindContractSchemaResult {
  schema: string;
}

/** 'FindContractSchema' query type */
export interface FindContractSchemaQuery {
  params: FindContractSchemaParams;
  result: FindContractSchemaResult;
}

const findContractSchemaIR: any = {"usedParamSet":{"id":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":155,"b":158}]}],"statement":"-- The schema of one version as JSON text.\nSELECT schema::text AS \"schema!\" FROM payload_contracts WHERE organization_id = current_organization() AND id = :id!"};

/**
 * Query generated from SQL:
 * ```
 * -- The schema of one version as JSON text.
 * SELECT schema::text AS "schema!" FROM payload_contracts WHERE organization_id = current_organization() AND id = :id!
 * ```
 */
export const findContractSchema = new PreparedQuery<FindContractSchemaParams,FindContractSchemaResult>(findContractSchemaIR);


/** 'FindContract' parameters type */
export interface FindContractParams {
  queueName: string;
  version?: number | null | void;
}

/** 'FindContract' return type */
export interface FindContractResult {
  compatibility: string;
  created_at: string;
  created_by: string | null;
  is_current: boolean;
  mode: string;
  queue_name: string;
  schema: string;
  version: number;
}

/** 'FindContract' query type */
export interface FindContractQuery {
  params: FindContractParams;
  result: FindContractResult;
}

const findContractIR: any = {"usedParamSet":{"queueName":true,"version":true},"params":[{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":269,"b":279}]},{"name":"version","required":false,"transform":{"type":"scalar"},"locs":[{"a":296,"b":303},{"a":309,"b":316}]}],"statement":"-- One version of a queue's contract. :version null = the current one.\nSELECT queue_name, version, mode, compatibility, schema::text AS \"schema!\", created_at, created_by, is_current\nFROM payload_contracts\nWHERE organization_id = current_organization() AND queue_name = :queueName! AND (version = :version OR (:version::integer IS NULL AND is_current))"};

/**
 * Query generated from SQL:
 * ```
 * -- One version of a queue's contract. :version null = the current one.
 * SELECT queue_name, version, mode, compatibility, schema::text AS "schema!", created_at, created_by, is_current
 * FROM payload_contracts
 * WHERE organization_id = current_organization() AND queue_name = :queueName! AND (version = :version OR (:version::integer IS NULL AND is_current))
 * ```
 */
export const findContract = new PreparedQuery<FindContractParams,FindContractResult>(findContractIR);


/** 'RetireContract' parameters type */
export interface RetireContractParams {
  keptFrom: number;
  queueName: string;
}

/** 'RetireContract' return type */
export type RetireContractResult = void;

/** 'RetireContract' query type */
export interface RetireContractQuery {
  params: RetireContractParams;
  result: RetireContractResult;
}

const retireContractIR: any = {"usedParamSet":{"queueName":true,"keptFrom":true},"params":[{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":228,"b":238},{"a":398,"b":408}]},{"name":"keptFrom","required":true,"transform":{"type":"scalar"},"locs":[{"a":254,"b":263}]}],"statement":"-- Before the next version is inserted: the current one becomes an old one, and those before :keptFrom are deleted.\nWITH old AS (\n  DELETE FROM payload_contracts\n  WHERE organization_id = current_organization() AND queue_name = :queueName! AND version < :keptFrom! AND NOT is_current\n)\nUPDATE payload_contracts SET is_current = false\nWHERE organization_id = current_organization() AND queue_name = :queueName! AND is_current"};

/**
 * Query generated from SQL:
 * ```
 * -- Before the next version is inserted: the current one becomes an old one, and those before :keptFrom are deleted.
 * WITH old AS (
 *   DELETE FROM payload_contracts
 *   WHERE organization_id = current_organization() AND queue_name = :queueName! AND version < :keptFrom! AND NOT is_current
 * )
 * UPDATE payload_contracts SET is_current = false
 * WHERE organization_id = current_organization() AND queue_name = :queueName! AND is_current
 * ```
 */
export const retireContract = new PreparedQuery<RetireContractParams,RetireContractResult>(retireContractIR);


/** 'InsertContract' parameters type */
export interface InsertContractParams {
  compatibility: string;
  createdBy?: string | null | void;
  mode: string;
  queueName: string;
  schema: string;
  version: number;
}

/** 'InsertContract' return type */
export interface InsertContractResult {
  compatibility: string;
  created_at: string;
  created_by: string | null;
  is_current: boolean;
  mode: string;
  queue_name: string;
  schema: string;
  version: number;
}

/** 'InsertContract' query type */
export interface InsertContractQuery {
  params: InsertContractParams;
  result: InsertContractResult;
}

const insertContractIR: any = {"usedParamSet":{"queueName":true,"version":true,"mode":true,"compatibility":true,"schema":true,"createdBy":true},"params":[{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":154,"b":164}]},{"name":"version","required":true,"transform":{"type":"scalar"},"locs":[{"a":167,"b":175}]},{"name":"mode","required":true,"transform":{"type":"scalar"},"locs":[{"a":184,"b":189}]},{"name":"compatibility","required":true,"transform":{"type":"scalar"},"locs":[{"a":192,"b":206}]},{"name":"schema","required":true,"transform":{"type":"scalar"},"locs":[{"a":209,"b":216}]},{"name":"createdBy","required":false,"transform":{"type":"scalar"},"locs":[{"a":225,"b":234}]}],"statement":"INSERT INTO payload_contracts (organization_id, queue_name, version, is_current, mode, compatibility, schema, created_by)\nVALUES (current_organization(), :queueName!, :version!, true, :mode!, :compatibility!, :schema!::json, :createdBy)\nRETURNING queue_name, version, mode, compatibility, schema::text AS \"schema!\", created_at, created_by, is_current"};

/**
 * Query generated from SQL:
 * ```
 * INSERT INTO payload_contracts (organization_id, queue_name, version, is_current, mode, compatibility, schema, created_by)
 * VALUES (current_organization(), :queueName!, :version!, true, :mode!, :compatibility!, :schema!::json, :createdBy)
 * RETURNING queue_name, version, mode, compatibility, schema::text AS "schema!", created_at, created_by, is_current
 * ```
 */
export const insertContract = new PreparedQuery<InsertContractParams,InsertContractResult>(insertContractIR);


/** 'DeleteContracts' parameters type */
export interface DeleteContractsParams {
  queueName: string;
}

/** 'DeleteContracts' return type */
export interface DeleteContractsResult {
  is_current: boolean;
}

/** 'DeleteContracts' query type */
export interface DeleteContractsQuery {
  params: DeleteContractsParams;
  result: DeleteContractsResult;
}

const deleteContractsIR: any = {"usedParamSet":{"queueName":true},"params":[{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":119,"b":129}]}],"statement":"-- Deletes all versions.\nDELETE FROM payload_contracts WHERE organization_id = current_organization() AND queue_name = :queueName! RETURNING is_current"};

/**
 * Query generated from SQL:
 * ```
 * -- Deletes all versions.
 * DELETE FROM payload_contracts WHERE organization_id = current_organization() AND queue_name = :queueName! RETURNING is_current
 * ```
 */
export const deleteContracts = new PreparedQuery<DeleteContractsParams,DeleteContractsResult>(deleteContractsIR);


/** 'SampleNewestJobs' parameters type */
export interface SampleNewestJobsParams {
  limit: number;
  maxBytes: number;
  queueName: string;
  seen: number;
}

/** 'SampleNewestJobs' return type */
export interface SampleNewestJobsResult {
  id: string;
  payload: string;
}

/** 'SampleNewestJobs' query type */
export interface SampleNewestJobsQuery {
  params: SampleNewestJobsParams;
  result: SampleNewestJobsResult;
}

const sampleNewestJobsIR: any = {"usedParamSet":{"seen":true,"queueName":true,"limit":true,"maxBytes":true},"params":[{"name":"seen","required":true,"transform":{"type":"scalar"},"locs":[{"a":531,"b":536}]},{"name":"queueName","required":true,"transform":{"type":"scalar"},"locs":[{"a":573,"b":583},{"a":708,"b":718}]},{"name":"limit","required":true,"transform":{"type":"scalar"},"locs":[{"a":804,"b":810}]},{"name":"maxBytes","required":true,"transform":{"type":"scalar"},"locs":[{"a":1105,"b":1114}]}],"statement":"-- The newest jobs of a queue, to see which of them a schema would refuse. Looks at the :seen newest jobs of the organization at most,\n-- because no index has the queue and the time. Index: jobs_newest. As many as fit into :maxBytes and at least one.\nWITH chosen AS MATERIALIZED (\n  SELECT id, created_at, octet_length(payload::text) AS bytes FROM (\n    SELECT id, queue_name, payload, created_at FROM jobs\n    WHERE organization_id = current_organization() AND created_at > '-infinity'\n    ORDER BY created_at DESC, id DESC LIMIT :seen!\n  ) AS newest\n  WHERE queue_name = :queueName! AND NOT EXISTS (\n    SELECT FROM queue_deletions d\n    WHERE d.organization_id = current_organization() AND d.queue_name = :queueName! AND newest.created_at <= d.deleted_until)\n  ORDER BY created_at DESC, id DESC LIMIT :limit!\n), sized AS (\n  SELECT id, created_at, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS bytes_before FROM chosen\n)\nSELECT s.id AS \"id!\", j.payload::text AS \"payload!\"\nFROM sized s CROSS JOIN LATERAL (SELECT payload FROM jobs WHERE id = s.id OFFSET 0) AS j\nWHERE s.bytes_before < :maxBytes! ORDER BY s.created_at DESC, s.id DESC"};

/**
 * Query generated from SQL:
 * ```
 * -- The newest jobs of a queue, to see which of them a schema would refuse. Looks at the :seen newest jobs of the organization at most,
 * -- because no index has the queue and the time. Index: jobs_newest. As many as fit into :maxBytes and at least one.
 * WITH chosen AS MATERIALIZED (
 *   SELECT id, created_at, octet_length(payload::text) AS bytes FROM (
 *     SELECT id, queue_name, payload, created_at FROM jobs
 *     WHERE organization_id = current_organization() AND created_at > '-infinity'
 *     ORDER BY created_at DESC, id DESC LIMIT :seen!
 *   ) AS newest
 *   WHERE queue_name = :queueName! AND NOT EXISTS (
 *     SELECT FROM queue_deletions d
 *     WHERE d.organization_id = current_organization() AND d.queue_name = :queueName! AND newest.created_at <= d.deleted_until)
 *   ORDER BY created_at DESC, id DESC LIMIT :limit!
 * ), sized AS (
 *   SELECT id, created_at, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS bytes_before FROM chosen
 * )
 * SELECT s.id AS "id!", j.payload::text AS "payload!"
 * FROM sized s CROSS JOIN LATERAL (SELECT payload FROM jobs WHERE id = s.id OFFSET 0) AS j
 * WHERE s.bytes_before < :maxBytes! ORDER BY s.created_at DESC, s.id DESC
 * ```
 */
export const sampleNewestJobs = new PreparedQuery<SampleNewestJobsParams,SampleNewestJobsResult>(sampleNewestJobsIR);


