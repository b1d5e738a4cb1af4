import { roles } from '@spooled/domain';
import { shownReceiver } from './receiver-urls.js';

const shown = (url: string) => shownReceiver({ role: 'viewer' }, url);

describe('BX-23 the URL of a receiver', () => {
  const url = 'https://hooks.example.com/services/T1?key=marked';

  it('is shown in full to those who may change it', () => {
    const full = roles.filter((role) => shownReceiver({ role }, url) === url);
    expect(full).toEqual(roles.filter((role) => role === 'admin' || role === 'operator'));
    expect(shownReceiver({ role: 'viewer' }, null)).toBeNull();
  });

  it('shows others its host, and whether two are the same', () => {
    expect(shown(url)).toMatch(/^https:\/\/hooks\.example\.com\/\[[0-9a-f]{8}\]$/);
    expect(shown(url)).toBe(shown(url));
    expect(shown(url)).not.toBe(shown(`${url}2`));
  });

  it('is shown as it is without a path', () => {
    for (const host of ['https://hooks.example.com', 'https://hooks.example.com:8443/']) expect(shown(host)).toBe(host);
  });

  it.each(['/?key=marked', '/#marked', '/marked'])('hides %s behind the host', (rest) => {
    expect(shown(`https://hooks.example.com${rest}`)).toMatch(/^https:\/\/hooks\.example\.com\/\[\w{8}\]$/);
  });

  it('hides a name and a password, and what is no URL', () => {
    expect(shown('https://marked:marked@hooks.example.com/')).toMatch(/^https:\/\/hooks\.example\.com\/\[\w{8}\]$/);
    expect(shown('marked')).toBe('[secret]');
  });
});
