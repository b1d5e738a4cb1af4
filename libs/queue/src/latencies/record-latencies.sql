/* @name recordLatencies */
SELECT record_latencies_v1(:batch!) AS "answer!";
