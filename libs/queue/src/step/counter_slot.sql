-- The counter slot of this transaction.
CREATE OR REPLACE FUNCTION counter_slot() RETURNS smallint
  LANGUAGE sql VOLATILE
  RETURN coalesce(nullif(current_setting('app.counter_slot', true), '')::smallint, take_counter_slot_v1());
