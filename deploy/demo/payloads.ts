import { createRequire } from 'node:module';

export interface GithubPayload {
  event: string;
  body: string;
}

/** Every payload of GitHub's example collection, as the text that GitHub would post. */
export function githubPayloads(): GithubPayload[] {
  const require = createRequire(import.meta.url);
  const events = require('@octokit/webhooks-examples') as { name: string; examples: unknown[] }[];
  return events.flatMap(({ name, examples }) =>
    examples.map((example) => ({ event: name, body: JSON.stringify(example) })),
  );
}
