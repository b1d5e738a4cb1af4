/* @name readGauges */
SELECT name, value FROM system_gauges WHERE updated_at > now() - interval '2 minutes';
