/* @name readGauges */
SELECT name, value FROM system_gauges WHERE updated_at > current_ts() - interval '2 minutes';
