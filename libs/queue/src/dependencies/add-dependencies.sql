/* @name addDependencies */
SELECT add_dependencies_v1(:organizationId!, :id!, :parents!, :mode, :queues) AS "answer!";
