import { Command, Option } from 'commander';
import { exitCodes } from './errors.js';
import type { Io } from './io/io.js';
import { shownText } from './io/error-text.js';
import { formats } from './io/output.js';
import { addAdmin } from './commands/admin.js';
import { addApply } from './commands/apply.js';
import { addBatches } from './commands/batches.js';
import { addCompletion } from './commands/completion.js';
import { addDeadLetters } from './commands/dead-letters.js';
import { addDev } from './commands/dev.js';
import { addDoctor } from './commands/doctor.js';
import { addInit } from './commands/init.js';
import { addJobs } from './commands/jobs.js';
import { addEvents } from './commands/job-watch.js';
import { addKeys } from './commands/keys.js';
import { addMcp } from './commands/mcp.js';
import { addMembers } from './commands/members.js';
import { addOperations } from './commands/operations.js';
import { addOverview } from './commands/overview.js';
import { addProfiles } from './commands/profiles.js';
import { addQueues } from './commands/queues.js';
import { addSchedules } from './commands/schedules.js';
import { addThrottles } from './commands/throttles.js';
import { addWebhooks } from './commands/webhooks.js';
import { addWorkers } from './commands/workers.js';
import { addWorkflows } from './commands/workflows.js';
import { version } from './version.js';
import { addWith } from './session/cli.js';
import { requireNoneEmpty } from './session/empty-values.js';
import { refuseRepeated } from './session/repeated-values.js';

/** In the order of the help. */
const commands = [
  addProfiles,
  addJobs,
  addEvents,
  addQueues,
  addDeadLetters,
  addOperations,
  addThrottles,
  addSchedules,
  addWorkflows,
  addBatches,
  addWorkers,
  addWebhooks,
  addKeys,
  addMembers,
  addOverview,
  addApply,
  addAdmin,
  addInit,
  addDev,
  addDoctor,
  addMcp,
  addCompletion,
];

const help = `
Environment:
  SPOOLED_URL      URL of the server; default http://127.0.0.1:8080
  SPOOLED_API_KEY  key, before that of a profile
  SPOOLED_PROFILE  profile, as --profile
  SPOOLED_CONFIG   file of the profiles
  SPOOLED_ADMIN_KEY  key of "spooled admin"
  NO_COLOR         no colours; there are none without a terminal either

Exit codes:
  ${exitCodes.ok} done   ${exitCodes.failed} refused, failed or a finding   ${exitCodes.usage} wrong usage, nothing was changed   130, 143 interrupted   ${exitCodes.pipeClosed} the reader has gone
`;

/** Every command, on these streams. Errors of usage are thrown as CommanderError after they were printed. */
export function createProgram(io: Io): Command {
  const program = new Command('spooled')
    .description('Command line of Spooled, a job queue and webhook service')
    .version(version, '-V, --version', 'print the version')
    .addOption(new Option('-o, --output <format>', 'format of results').choices(formats).default('table'))
    .option('--url <url>', 'URL of the server')
    .option('--profile <name>', 'profile with server and key')
    .addHelpText('after', help)
    .configureHelp({ showGlobalOptions: false })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      writeErr: (text) => void io.stderr.write(text),
      // One sentence on one line, also with a suggestion.
      outputError: (text, write) =>
        write(
          `${shownText(
            text
              .trim()
              .replace(/^error:/, 'spooled:')
              .replaceAll('\n', ' '),
          )}\n`,
        ),
    })
    .hook('preAction', (_program, command) => requireNoneEmpty(command));
  const add = addWith(io);
  for (const addTo of commands) addTo(program, add);
  refuseRepeated(program);
  return program;
}
