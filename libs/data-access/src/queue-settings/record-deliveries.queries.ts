/** Types generated for queries found in "libs/data-access/src/queue-settings/record-deliveries.sql" */
import { PreparedQuery } from '@pgtyped/runtime';

/** 'RecordDeliveries' parameters type */
export interface RecordDeliveriesParams {
  data: string;
  event: string;
  organizationId: string;
}

/** 'RecordDeliveries' return type */
export interface RecordDeliveriesResult {
  id: string;
}

/** 'RecordDeliveries' query type */
export interface RecordDeliveriesQuery {
  params: RecordDeliveriesParams;
  result: RecordDeliveriesResult;
}

const recordDeliveriesIR: any = {"usedParamSet":{"organizationId":true,"event":true,"data":true},"params":[{"name":"organizationId","required":true,"transform":{"type":"scalar"},"locs":[{"a":184,"b":199}]},{"name":"event","required":true,"transform":{"type":"scalar"},"locs":[{"a":202,"b":208}]},{"name":"data","required":true,"transform":{"type":"scalar"},"locs":[{"a":236,"b":241}]}],"statement":"-- Records one delivery for each webhook that is subscribed to the event. Index: primary keys.\nSELECT (delivery ->> 'id')::uuid AS \"id!\"\nFROM jsonb_array_elements(record_deliveries_v1(:organizationId!, :event!, ARRAY[NULL::uuid], ARRAY[:data!::json])) AS delivery"};

/**
 * Query generated from SQL:
 * ```
 * -- Records one delivery for each webhook that is subscribed to the event. Index: primary keys.
 * SELECT (delivery ->> 'id')::uuid AS "id!"
 * FROM jsonb_array_elements(record_deliveries_v1(:organizationId!, :event!, ARRAY[NULL::uuid], ARRAY[:data!::json])) AS delivery
 * ```
 */
export const recordDeliveries = new PreparedQuery<RecordDeliveriesParams,RecordDeliveriesResult>(recordDeliveriesIR);


