import { listenHttp, runService } from '@spooled/platform';
import { consoleServerSettings } from './console-server.config.js';
import { createConsoleServer } from './create-console-server.js';

await runService({
  name: 'console',
  settings: consoleServerSettings,
  metrics: {},
  start: async (service) => {
    const app = await createConsoleServer(service);
    service.onStop('application', () => app.close());
    await listenHttp(app, service.settings.PORT, service.settings.HOST);
  },
});
