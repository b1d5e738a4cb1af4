/* @name recordDeliveries */
-- Records one delivery for each webhook that is subscribed to the event. Index: primary keys.
SELECT (delivery ->> 'id')::uuid AS "id!"
FROM jsonb_array_elements(record_deliveries_v1(:organizationId!, :event!, ARRAY[NULL::uuid], ARRAY[:data!::json])) AS delivery;
