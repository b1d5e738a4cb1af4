import { problemSentence, StartError, type StoreProblem } from '@spooled/domain';
import { SettingsError } from '../settings/settings.js';

type Values = Readonly<Record<string, unknown>>;

/** What an operator must change before the service can start, in one sentence; undefined for an error that only a stack explains. */
export function startProblem(error: unknown, settings: Values): string | undefined {
  if (error instanceof StartError) return error.message;
  if (error instanceof SettingsError) return error.problems.map(({ name, reason }) => `${name} ${reason}`).join('; ');
  const problem = listenerProblem(error as NodeJS.ErrnoException & { port?: number }, settings);
  return problem && problemSentence(problem);
}

function listenerProblem(error: NodeJS.ErrnoException & { port?: number }, settings: Values): StoreProblem | undefined {
  const { code, port, address } = { address: settings.HOST, ...error } as {
    code?: string;
    port?: number;
    address: string;
  };
  if (code === 'EADDRNOTAVAIL')
    return {
      finding: `This machine does not have the address ${address}`,
      remedy: 'set HOST to one that it has, or to 0.0.0.0',
    };
  const setting = Object.keys(settings).find((name) => name.endsWith('PORT') && settings[name] === port) ?? 'the port';
  if (code === 'EADDRINUSE')
    return {
      finding: `Port ${port} of ${address} is in use by another program`,
      remedy: `stop that program, or set ${setting} to a free port`,
    };
  if (code === 'EACCES' && port !== undefined)
    return { finding: `This user may not listen on port ${port}`, remedy: `set ${setting} to 1024 or more` };
  return undefined;
}
