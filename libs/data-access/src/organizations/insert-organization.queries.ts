/** Types generated for queries found in "libs/data-access/src/organizations/insert-organization.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'InsertOrganization' parameters type */
export interface InsertOrganizationParams {
  billingEmail?: string | null | void;
  customLimits?: string | null | void;
  id: string;
  keyDigest: string;
  keyLookup: string;
  keyName: string;
  keyPrefix: string;
  name: string;
  planTier: string;
  settings: string;
  slug: string;
  webhookToken: string;
}

/** 'InsertOrganization' return type */
export interface InsertOrganizationResult {
  billing_email: string | null;
  created_at: string;
  custom_limits: string | null;
  id: string;
  is_active: boolean;
  key_created_at: string;
  key_digest: string;
  key_id: string;
  key_lookup: string;
  key_name: string;
  key_prefix: string;
  name: string;
  plan_tier: string;
  queues: stringArray;
  rate_limit: number | null;
  role: string;
  settings: string;
  slug: string;
  updated_at: string;
}

/** 'InsertOrganization' query type */
export interface InsertOrganizationQuery {
  params: InsertOrganizationParams;
  result: InsertOrganizationResult;
}

const insertOrganizationIR: any = {"usedParamSet":{"id":true,"name":true,"slug":true,"planTier":true,"billingEmail":true,"settings":true,"webhookToken":true,"customLimits":true,"keyName":true,"keyPrefix":true,"keyDigest":true,"keyLookup":true},"params":[{"name":"id","required":true,"transform":{"type":"scalar"},"locs":[{"a":294,"b":297}]},{"name":"name","required":true,"transform":{"type":"scalar"},"locs":[{"a":300,"b":305}]},{"name":"slug","required":true,"transform":{"type":"scalar"},"locs":[{"a":308,"b":313}]},{"name":"planTier","required":true,"transform":{"type":"scalar"},"locs":[{"a":316,"b":325}]},{"name":"billingEmail","required":false,"transform":{"type":"scalar"},"locs":[{"a":328,"b":340}]},{"name":"settings","required":true,"transform":{"type":"scalar"},"locs":[{"a":343,"b":352}]},{"name":"webhookToken","required":true,"transform":{"type":"scalar"},"locs":[{"a":400,"b":413}]},{"name":"customLimits","required":false,"transform":{"type":"scalar"},"locs":[{"a":427,"b":439}]},{"name":"keyName","required":true,"transform":{"type":"scalar"},"locs":[{"a":704,"b":712}]},{"name":"keyPrefix","required":true,"transform":{"type":"scalar"},"locs":[{"a":715,"b":725}]},{"name":"keyDigest","required":true,"transform":{"type":"scalar"},"locs":[{"a":728,"b":738}]},{"name":"keyLookup","required":true,"transform":{"type":"scalar"},"locs":[{"a":741,"b":751}]}],"statement":"-- Inserts an organization with its first API key, for all queues. One statement, because registration is public: through models it\n-- would cost ten times as much.\nWITH organization AS (\n  INSERT INTO organizations (id, name, slug, plan_tier, billing_email, settings, custom_limits)\n  VALUES (:id!, :name!, :slug!, :planTier!, :billingEmail, :settings!::jsonb || jsonb_build_object('webhook_token', :webhookToken!::text),\n    :customLimits::jsonb)\n  RETURNING id, name, slug, plan_tier, billing_email, settings::text AS settings, custom_limits::text AS custom_limits, created_at, updated_at\n), api_key AS (\n  INSERT INTO api_keys (organization_id, name, key_prefix, key_digest, key_lookup)\n  SELECT id, :keyName!, :keyPrefix!, :keyDigest!, :keyLookup! FROM organization\n  RETURNING id, organization_id, name, key_prefix, key_digest, key_lookup, queues, rate_limit, role, is_active, created_at\n)\nSELECT\n  o.id, o.name, o.slug, o.plan_tier, o.billing_email, o.settings AS \"settings!\", o.custom_limits, o.created_at, o.updated_at,\n  k.id AS key_id, k.name AS key_name, k.key_prefix, k.key_digest, k.key_lookup, k.queues, k.rate_limit, k.role, k.is_active,\n  k.created_at AS key_created_at\nFROM organization o, api_key k"};

/**
 * Query generated from SQL:
 * ```
 * -- Inserts an organization with its first API key, for all queues. One statement, because registration is public: through models it
 * -- would cost ten times as much.
 * WITH organization AS (
 *   INSERT INTO organizations (id, name, slug, plan_tier, billing_email, settings, custom_limits)
 *   VALUES (:id!, :name!, :slug!, :planTier!, :billingEmail, :settings!::jsonb || jsonb_build_object('webhook_token', :webhookToken!::text),
 *     :customLimits::jsonb)
 *   RETURNING id, name, slug, plan_tier, billing_email, settings::text AS settings, custom_limits::text AS custom_limits, created_at, updated_at
 * ), api_key AS (
 *   INSERT INTO api_keys (organization_id, name, key_prefix, key_digest, key_lookup)
 *   SELECT id, :keyName!, :keyPrefix!, :keyDigest!, :keyLookup! FROM organization
 *   RETURNING id, organization_id, name, key_prefix, key_digest, key_lookup, queues, rate_limit, role, is_active, created_at
 * )
 * SELECT
 *   o.id, o.name, o.slug, o.plan_tier, o.billing_email, o.settings AS "settings!", o.custom_limits, o.created_at, o.updated_at,
 *   k.id AS key_id, k.name AS key_name, k.key_prefix, k.key_digest, k.key_lookup, k.queues, k.rate_limit, k.role, k.is_active,
 *   k.created_at AS key_created_at
 * FROM organization o, api_key k
 * ```
 */
export const insertOrganization = new PreparedQuery<InsertOrganizationParams,InsertOrganizationResult>(insertOrganizationIR);


