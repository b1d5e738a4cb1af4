import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { zoneOffset } from './time-zone.js';

it('keeps one formatter of a zone, however callers spell its name', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { DateTimeFormat } = Intl;
  const made: WeakRef<Intl.DateTimeFormat>[] = [];
  Intl.DateTimeFormat = new Proxy(DateTimeFormat, {
    construct(target, options: ConstructorParameters<typeof DateTimeFormat>) {
      const formatter = new target(...options);
      made.push(new WeakRef(formatter));
      return formatter;
    },
  });
  for (const zone of ['Pacific/Chatham', 'pacific/chatham', 'PACIFIC/CHATHAM', 'Pacific/chathaM', 'Pacific/Chatham'])
    expect(zoneOffset(zone)!(0)).toBe(45_900_000);
  Intl.DateTimeFormat = DateTimeFormat;
  // A reference that was read lasts until the end of its turn.
  await setImmediate();
  collectGarbage();
  expect([made.length, made.filter((one) => one.deref() !== undefined).length]).toEqual([4, 1]);
});
