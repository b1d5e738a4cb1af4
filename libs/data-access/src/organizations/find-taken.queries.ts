/** Types generated for queries found in "libs/data-access/src/organizations/find-taken.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

export type stringArray = (string)[];

/** 'FindTaken' parameters type */
export interface FindTakenParams {
  billingEmail?: string | null | void;
  slugs: stringArray;
}

/** 'FindTaken' return type */
export interface FindTakenResult {
  email_taken: boolean;
  slugs: stringArray;
}

/** 'FindTaken' query type */
export interface FindTakenQuery {
  params: FindTakenParams;
  result: FindTakenResult;
}

const findTakenIR: any = {"usedParamSet":{"slugs":true,"billingEmail":true},"params":[{"name":"slugs","required":true,"transform":{"type":"scalar"},"locs":[{"a":255,"b":261}]},{"name":"billingEmail","required":false,"transform":{"type":"scalar"},"locs":[{"a":364,"b":376}]}],"statement":"-- Which slugs are in use, and whether the billing address is, across all organizations, so as spooled_system.\n-- Indexes: organizations_slug_key, organizations_billing_email.\nSELECT\n  coalesce((SELECT array_agg(slug) FROM organizations WHERE slug = ANY (:slugs!::text[])), '{}') AS \"slugs!\",\n  EXISTS (SELECT FROM organizations WHERE lower(billing_email) = lower(:billingEmail::text)) AS \"email_taken!\""};

/**
 * Query generated from SQL:
 * ```
 * -- Which slugs are in use, and whether the billing address is, across all organizations, so as spooled_system.
 * -- Indexes: organizations_slug_key, organizations_billing_email.
 * SELECT
 *   coalesce((SELECT array_agg(slug) FROM organizations WHERE slug = ANY (:slugs!::text[])), '{}') AS "slugs!",
 *   EXISTS (SELECT FROM organizations WHERE lower(billing_email) = lower(:billingEmail::text)) AS "email_taken!"
 * ```
 */
export const findTaken = new PreparedQuery<FindTakenParams,FindTakenResult>(findTakenIR);


