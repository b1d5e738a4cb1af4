import { z } from 'zod';
import { commaList, flag, integer, port, ratio, secret, url, variables } from './kinds.js';
import { serverSettings, telemetrySettings } from './process-settings.js';
import { describeSettings, readSettings, setting, SettingsError } from './settings.js';

const declarations = {
  PORT: setting(port().default(8080), 'The port.'),
  BATCH: setting(integer({ min: 1, max: 100 }).default(10), 'Items at once.'),
  SECURE: setting(flag().default(false), 'Whether to lock it.'),
  SHARE: setting(ratio().default(0.5), 'How much.'),
  STORE_URL: setting(url(/^redis$/), 'Where things are.'),
  PEERS: setting(commaList(url()).default([]), 'Who else is there.'),
  KEY: setting(secret({ min: 16 }), 'The key.'),
  NICKNAME: setting(z.string().optional(), 'Optional.'),
};
const required = { STORE_URL: 'redis://localhost', KEY: 'sixteen letters!' };

const problemsOf = (env: Record<string, string>): SettingsError => {
  try {
    readSettings(declarations, env);
  } catch (error) {
    if (error instanceof SettingsError) return error;
  }
  throw new Error('the settings were accepted');
};

describe('readSettings', () => {
  it('converts environment variables to typed values', () => {
    const env = { ...required, PORT: '0', SECURE: 'Yes', SHARE: '.25', PEERS: ' http://a , ,http://b,' };
    expect(readSettings(declarations, env)).toEqual({
      PORT: 0,
      BATCH: 10,
      SECURE: true,
      SHARE: 0.25,
      STORE_URL: 'redis://localhost',
      PEERS: ['http://a', 'http://b'],
      KEY: 'sixteen letters!',
      NICKNAME: undefined,
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readSettings(declarations, { ...required, PORT: '', PEERS: ' ' })).toMatchObject({ PORT: 8080, PEERS: [] });
  });

  it('reports all invalid settings at once, by name and with the reason', () => {
    const { problems, message } = problemsOf({ PORT: '65536', BATCH: '1.5', SECURE: 'maybe', KEY: required.KEY });
    expect(problems.map(({ name }) => name)).toEqual(['PORT', 'BATCH', 'SECURE', 'STORE_URL']);
    expect(message).toContain('PORT: must be a whole number from 0 to 65535 (got "65536")');
    expect(message).toContain('STORE_URL: is required');
  });

  it('never repeats the value of a secret or of a URL, which may carry a password', () => {
    const { problems, message } = problemsOf({ KEY: 'hunter2', STORE_URL: 'postgres://me:hunter2@host/db' });
    expect(problems.map(({ name }) => name)).toEqual(['STORE_URL', 'KEY']);
    expect(message).not.toContain('hunter2');
  });

  it('reads variables that begin alike together, and reports what is wrong with one of them without its value', () => {
    const parse = ({ ROOM_BLUE: blue = 'none', ...others }: Record<string, string>) => {
      if (blue === 'hunter2') throw new Error('ROOM_BLUE: is not a size');
      return { blue, others };
    };
    const rooms = { ...declarations, 'ROOM_*': setting(variables('sizes', parse).optional(), 'Sizes of rooms.') };
    const read = (env: Record<string, string>) => readSettings(rooms, { ...required, ...env })['ROOM_*'];
    expect(read({ ROOM_BLUE: ' 3 ', ROOM_RED: '4', ROOM_EMPTY: ' ', ROOMS: '5' })).toEqual({
      blue: '3',
      others: { ROOM_RED: '4' },
    });
    expect(read({ ROOM_BLUE: '' })).toBeUndefined();
    const wrong = () => read({ ROOM_BLUE: 'hunter2' });
    expect(wrong).toThrow('ROOM_*: ROOM_BLUE: is not a size');
    expect(wrong).not.toThrow('hunter2');
  });

  it('returns immutable settings', () => {
    expect(Object.isFrozen(readSettings(declarations, required))).toBe(true);
  });
});

describe('describeSettings', () => {
  it('returns name, type and default of each setting', () => {
    const rows = describeSettings(declarations).map(({ name, type, default: value }) => [name, type, value]);
    expect(rows).toEqual([
      ['PORT', 'port', '8080'],
      ['BATCH', 'integer', '10'],
      ['SECURE', 'true | false', 'false'],
      ['SHARE', 'number from 0 to 1', '0.5'],
      ['STORE_URL', 'URL', null],
      ['PEERS', 'comma list', ''],
      ['KEY', 'secret', null],
      ['NICKNAME', 'text', ''],
    ]);
  });

  it('reads a second name where the first is unset', () => {
    const { SPOOLED_ENV } = serverSettings;
    const environmentOf = (env: Record<string, string>) => readSettings({ SPOOLED_ENV }, env).SPOOLED_ENV;
    expect(environmentOf({ RUST_ENV: 'staging' })).toBe('staging');
    expect(environmentOf({ RUST_ENV: 'staging', SPOOLED_ENV: '' })).toBe('staging');
    expect(environmentOf({ RUST_ENV: 'staging', SPOOLED_ENV: 'development' })).toBe('development');
  });

  it('needs none of the common settings', () => {
    const everyProcess = { ...serverSettings, ...telemetrySettings };
    expect(readSettings(everyProcess, {})).toMatchObject({ METRICS_PORT: 9090, SPOOLED_ENV: 'production' });
    expect(describeSettings(everyProcess).every(({ default: value }) => value !== null)).toBe(true);
  });
});
