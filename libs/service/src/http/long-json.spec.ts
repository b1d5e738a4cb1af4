import { requestLimits } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { longBodyBytes, readLongJson } from './long-json.js';

const long = 'é'.repeat(longBodyBytes);

it('reads what a body says, and gives way to the event loop before, between and after its steps', async () => {
  const value = { a: long, b: [1, { c: null }] };
  let [turns, isRead] = [0, false];
  const count = () => {
    if (isRead) return;
    turns++;
    setImmediate(count);
  };
  count();
  const body = JSON.stringify(value);
  expect(await readLongJson(Buffer.from(body))).toEqual({ text: body, value });
  isRead = true;
  expect(turns).toBeGreaterThanOrEqual(8);
});

it.each([
  ['that is no UTF-8', Buffer.from(`"${long}`, 'latin1'), 'The body is not valid UTF-8'],
  ['of too many levels', Buffer.from('['.repeat(longBodyBytes)), `nested deeper than ${requestLimits.depth} levels`],
  ['that is no JSON', Buffer.from(`"${long}`), 'The body is not valid JSON'],
])('refuses a body %s', async (_what, body, message) => {
  const error = await readLongJson(body).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SpooledError);
  expect(error).toMatchObject({ code: 'INVALID_JSON', message: expect.stringContaining(message) });
});
