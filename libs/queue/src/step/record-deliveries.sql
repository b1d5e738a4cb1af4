/* @name recordEvents */
SELECT record_events_v1(:batch!) AS "recorded!";

/* @name recordCancellations */
SELECT record_cancellations_v1(:batch!) AS "recorded!";
