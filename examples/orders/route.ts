import type { Pool } from 'pg';
import { SpooledError } from 'spooled-sdk';
import { z } from 'zod';
import { confirm } from './jobs.ts';

/** Of the application, in its own database. */
export const table = `CREATE TABLE IF NOT EXISTS orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, item text NOT NULL, email text NOT NULL)`;

const newOrder = z.object({ item: z.string().min(1), email: z.string() });

/**
 * Stores an order and enqueues its confirmation: both or neither. A route of any server with Request and Response; in Next.js
 * `app/api/orders/route.ts` exports it as POST, and `instrumentation.ts` connects and works.
 */
export const createOrder =
  (pool: Pool) =>
  async (request: Request): Promise<Response> => {
    const body = newOrder.safeParse(await request.json().catch(() => null));
    if (!body.success) return Response.json({ error: z.prettifyError(body.error) }, { status: 400 });
    const { item, email } = body.data;
    const tx = await pool.connect();
    try {
      await tx.query('BEGIN');
      const insert = 'INSERT INTO orders (item, email) VALUES ($1, $2) RETURNING id';
      const order = String((await tx.query<{ id: string }>(insert, [item, email])).rows[0]!.id);
      // By an outbox, jobs of one customer are created in the order of the orders.
      await confirm.enqueue({ order, email }, { tx, orderingKey: email });
      await tx.query('COMMIT');
      return Response.json({ order }, { status: 201 });
    } catch (error) {
      await tx.query('ROLLBACK');
      if (error instanceof SpooledError && error.status < 500)
        return Response.json({ error: error.message }, { status: 400 });
      throw error;
    } finally {
      tx.release();
    }
  };
