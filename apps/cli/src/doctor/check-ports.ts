import { createServer } from 'node:net';
import { type Finding, Findings } from './finding.js';

/** The ports that `npm start` and the services listen on, by their settings. */
const ports = { PORT: 8080, GRPC_PORT: 50051, METRICS_PORT: 9090 };

/** Whether the ports of a gateway that does not run are free. */
export async function checkPorts(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const found = new Findings('Ports');
  const host = env.HOST || '127.0.0.1';
  const free: string[] = [];
  for (const [setting, usual] of Object.entries(ports)) {
    const port = Number(env[setting] || usual);
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
      found.problem(`${setting} is no port`, 'write a number from 1 to 65535');
      continue;
    }
    const problem = await problemOf(port, host);
    if (problem === null) free.push(String(port));
    else if (problem === 'EADDRINUSE')
      found.problem(`Port ${port} is in use by another program`, `stop that program, or set ${setting} to a free port`);
    else found.problem(`Port ${port} of ${host} cannot be used (${problem})`, `set ${setting} or HOST to another one`);
  }
  if (free.length > 0) found.ok(`Free on ${host}: ${free.join(', ')}`);
  return found.all;
}

/** The code of the error when a server tries to listen; null when it may. */
const problemOf = (port: number, host: string): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
