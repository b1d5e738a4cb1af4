import { execFileSync } from 'node:child_process';

it('docs/configuration.md lists the settings that the services declare', () => {
  expect(() => execFileSync(process.execPath, ['deploy/local/configuration.mjs', '--check'])).not.toThrow();
});
