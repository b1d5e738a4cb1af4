import { createServer } from 'node:http';

// A fake service: ready at once, prints its state, and exits as its environment variables say.
const ready = createServer((_request, response) => response.end()).listen(process.env.METRICS_PORT, '127.0.0.1', () => {
  console.log(`up ${process.pid}`);
});
process.on('SIGTERM', () => {
  console.log('down');
  if (process.env.STUBBORN) return;
  ready.close(() => process.exit(0));
  ready.closeAllConnections();
});
