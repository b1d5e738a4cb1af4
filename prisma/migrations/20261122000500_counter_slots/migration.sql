-- Counter rows belong to one transaction at a time. The slot was the backend's process id modulo 16: two transactions with the same
-- one waited for each other's rows in the order in which each had touched its queues, and so crosswise (41 deadlocks in 80 minutes).
-- A slot is now held by an advisory lock until the transaction ends. The lock is only ever tried, never waited for, so that no order
-- of queues, organizations or statements can lead to a deadlock over counters, through PgBouncer neither.

-- Takes a free slot for this transaction: one of the first 16 where possible, so that a queue has few rows; the process id decides
-- where the search begins, so that it mostly ends there. Each transaction holds one slot, so that one is free among as many as
-- there can be connections.
CREATE FUNCTION take_counter_slot_v1() RETURNS smallint
  LANGUAGE plpgsql
AS $$
DECLARE
  lock_class constant integer := hashtext('spooled counter slot');
  slot integer;
BEGIN
  FOR tried IN 0..32766 LOOP
    slot := CASE WHEN tried < 16 THEN (pg_backend_pid() + tried) % 16 ELSE tried END;
    IF pg_try_advisory_xact_lock(lock_class, slot) THEN
      PERFORM set_config('app.counter_slot', slot::text, true);
      RETURN slot;
    END IF;
  END LOOP;
  RAISE EXCEPTION 'no counter slot is free';
END
$$;

-- The slot of this transaction. The setting ends with the transaction or the savepoint, as the lock does.
CREATE OR REPLACE FUNCTION counter_slot() RETURNS smallint
  LANGUAGE sql VOLATILE
  RETURN coalesce(nullif(current_setting('app.counter_slot', true), '')::smallint, take_counter_slot_v1());
