/* @name areDependenciesMet */
-- Whether no parent blocks the job; for one that has ended, because its live row said so until then.
SELECT are_dependencies_met_v1(:id!, :mode) AS "met!";
