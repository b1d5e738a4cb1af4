import { liveCommands } from '@spooled/contracts';
import { unboundedParts } from '@spooled/testing';
import { z } from 'zod';
import { readCommand } from './commands.js';

it('bounds every text and list of a frame', () => {
  const found = Object.values(liveCommands).flatMap((schema) =>
    unboundedParts(z.toJSONSchema(schema, { io: 'input' })),
  );
  expect(found).toEqual([]);
});

it('accepts a command up to its bounds and ignores one beyond them', () => {
  const subscribe = (events: string[]) =>
    readCommand(JSON.stringify({ type: 'subscribe', request_id: 'r', filter: { events } }));
  expect(subscribe(Array<string>(50).fill('x'.repeat(100)))).toMatchObject({ kind: 'subscribe' });
  expect(subscribe(Array<string>(51).fill('x'))).toEqual({ kind: 'malformed', requestId: 'r' });
  expect(subscribe(['x'.repeat(101)])).toEqual({ kind: 'malformed', requestId: 'r' });
  expect(readCommand(JSON.stringify({ cmd: 'ping'.padEnd(21) }))).toBeNull();
});
