/** Types generated for queries found in "libs/data-access/src/queue-settings/decide-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'DecideDeliveries' parameters type */
export interface DecideDeliveriesParams {
  data: string;
  event: string;
  organizationId: string;
}

/** 'DecideDeliveries' return type */
export interface DecideDeliveriesResult {
  id: string;
}

/** 'DecideDeliveries' query type */
export interface DecideDeliveriesQuery {
  params: DecideDeliveriesParams;
  result: DecideDeliveriesResult;
}

const decideDeliveriesIR: any = {"usedParamSet":{"organizationId":true,"event":true,"data":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":172,"b":187}]},{"name":"event","required":true,"transform":{"type":"scalar"},"locs":[{"a":190,"b":196}]},{"name":"data","required":true,"transform":{"type":"scalar"},"locs":[{"a":224,"b":229}]}],"statement":"-- Writes one delivery for each webhook that wants the event. Index: primary keys.\nSELECT (delivery ->> 'id')::uuid AS \"id!\"\nFROM jsonb_array_elements(record_deliveries_v1(:organizationId!, :event!, ARRAY[NULL::uuid], ARRAY[:data!::json])) AS delivery"};

/**
 * Query generated from SQL:
 * ```
 * -- Writes one delivery for each webhook that wants the event. Index: primary keys.
 * SELECT (delivery ->> 'id')::uuid AS "id!"
 * FROM jsonb_array_elements(record_deliveries_v1(:organizationId!, :event!, ARRAY[NULL::uuid], ARRAY[:data!::json])) AS delivery
 * ```
 */
export const decideDeliveries = new PreparedQuery<DecideDeliveriesParams,DecideDeliveriesResult>(decideDeliveriesIR);


