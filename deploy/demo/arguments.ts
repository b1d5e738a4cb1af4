import { parseArgs } from 'node:util';
import { localSecret, localUrl } from './local-system.js';

export interface DemoArguments {
  url: string;
  key: string;
  /** Number of webhooks to post; the payloads repeat as needed. */
  jobs: number;
  workers: number;
}

const usage = `npm run demo -- [--url URL] [--key KEY] [--jobs N] [--workers N]
  --url      base URL of a running system       (default: the local one that runs)
  --key      API key of an enterprise organization (default: the local system's first organization)
  --jobs     webhooks to post                   (default: 1000)
  --workers  workers that claim at once         (default: 16)`;

/** Reads the flags; prints the usage and exits if they are invalid. */
export function readArguments(argv: string[]): DemoArguments {
  try {
    const { values } = parseArgs({
      args: argv,
      options: {
        url: { type: 'string' },
        key: { type: 'string' },
        jobs: { type: 'string', default: '1000' },
        workers: { type: 'string', default: '16' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) throw new Error('');
    return {
      url: (values.url ?? localUrl()).replace(/\/$/, ''),
      key: values.key ?? localSecret('apiKey'),
      jobs: positive('--jobs', values.jobs),
      workers: positive('--workers', values.workers),
    };
  } catch (error) {
    const { message } = error as Error;
    process.stderr.write(message ? `${message}\n\n${usage}\n` : `${usage}\n`);
    process.exit(message ? 2 : 0);
  }
}

function positive(flag: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1)
    throw new Error(`${flag} must be a whole number above zero, not "${text}"`);
  return number;
}
