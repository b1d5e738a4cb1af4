/* @name findReceiverRefusals */
-- Index: queue_config_organization_id_queue_name_key.
SELECT refused_receivers_v1(:organizationId!, :list!, '{}') AS "refused!";
