/* @name fenceCommands */
-- Fails with SQLSTATE SPF01 when a later delivery of one of them has run.
SELECT fence_commands_v1(:ids!, :deliveries!) AS done;

/* @name findFences */
SELECT command_id, delivery FROM command_fences WHERE command_id = ANY (:ids!);
