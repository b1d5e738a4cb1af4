import { sqlClientOf } from './sql-client.js';

describe('BX-18 a statement for Knex', () => {
  it('has a question mark for each parameter, with its value, and escaped ones for its own', async () => {
    const calls: unknown[] = [];
    const knex = { raw: (...call: unknown[]) => Promise.resolve(void calls.push(call)) };
    await sqlClientOf(knex, 'tx').query('SELECT $2, $1, $10 ? $2', ['a', null, ...'cdefghi'.split(''), 'ten']);
    expect(calls).toEqual([[String.raw`SELECT ?, ?, ? \? ?`, [null, 'a', 'ten', null]]]);
  });
});
