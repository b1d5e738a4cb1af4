import { jest } from '@jest/globals';
import { consoleLogger } from './logger.js';

describe('the logger of an app', () => {
  afterEach(() => jest.restoreAllMocks());

  it('shows fields that are no JSON, instead of throwing', () => {
    const lines: unknown[] = [];
    jest.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
    const loop: { self?: object } = {};
    loop.self = loop;
    consoleLogger.info('charged', { amount: 12n, loop, error: new TypeError('no card') });
    expect(lines).toEqual(['spooled: charged amount=12 loop=(no JSON) error=TypeError: no card']);
  });
});
