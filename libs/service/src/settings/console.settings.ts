import { flag, setting, url } from '@spooled/platform';

/** Where the browser console runs; the same for every process that accepts its cookies. */
export const consoleSettings = {
  CONSOLE_ENABLED: setting(
    flag().default(true),
    'The browser console and its sessions. `false`: its routes are 404 and its cookies are ignored.',
  ),
  EXTERNAL_URL: setting(
    url(/^https?$/).optional(),
    'Public base URL of this deployment; used in webhook URLs, and as the origin of the console where a proxy changes the Host header.',
  ),
};
