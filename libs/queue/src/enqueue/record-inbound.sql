/* @name recordInbound */
SELECT record_inbound_v1(:batch!) AS done;
