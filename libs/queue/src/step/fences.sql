/* @name fenceCommands */
-- Fails with SQLSTATE SPF01 when a later delivery of one of them has run.
SELECT fence_commands_v1(:organizationIds!, :ids!, :deliveries!) AS done;

/* @name findFences */
SELECT command_id, owner_id, delivery FROM command_fences WHERE command_id = ANY (:ids!);
