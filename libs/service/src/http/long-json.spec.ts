import { requestLimits } from '@spooled/contracts';
import { SpooledError } from '@spooled/domain';
import { longBodyBytes, readJson } from './long-json.js';

const long = 'é'.repeat(longBodyBytes);

it('parses a body and yields to the event loop before, between and after the steps', async () => {
  const value = { a: long, b: [1, { c: null }] };
  let [turns, isRead] = [0, false];
  const count = () => {
    if (isRead) return;
    turns++;
    setImmediate(count);
  };
  count();
  const body = JSON.stringify(value);
  expect(await readJson(Buffer.from(body))).toEqual({ text: body, value, hasInexactNumbers: false });
  isRead = true;
  expect(turns).toBeGreaterThanOrEqual(8);
});

it.each([
  ['that is not UTF-8', Buffer.from(`"${long}`, 'latin1'), 'The body is not valid UTF-8'],
  ['with too many levels', Buffer.from('['.repeat(longBodyBytes)), `nested deeper than ${requestLimits.depth} levels`],
  ['that is not JSON', Buffer.from(`"${long}`), 'The body is not valid JSON'],
])('rejects a body %s', async (_what, body, message) => {
  const error = await readJson(body).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(SpooledError);
  expect(error).toMatchObject({ code: 'INVALID_JSON', message: expect.stringContaining(message) });
});
