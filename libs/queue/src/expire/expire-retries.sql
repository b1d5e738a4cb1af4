/* @name expireRetries */
SELECT expire_retries_v1(:organizationId!, :ids!) AS "answer!";
