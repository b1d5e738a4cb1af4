import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { onStopSignals } from '@spooled/local';
import { type Options, type OptionSpec, readOptions, usage } from './options.js';
import { compareSteps } from './output/compare.js';
import { describeRun, describeTargets } from './output/summary.js';
import type { Terminal } from '@spooled/local';
import { type BenchReport, type ScenarioReport, schemaVersion, type StepReport } from './report.js';
import type { Load, Scenario, StepPlan } from './scenario.js';
import { chooseScenarios, scenarios } from './scenarios.js';
import { BenchStack } from './stack/bench-stack.js';
import { describeCommit, describeMachine } from './stack/machine.js';
import { judge } from './targets.js';
import { measureStep } from './measure/measure-step.js';
import { describeSettings, describeStep, heading } from './output/table.js';

/**
 * Starts a stack, measures the scenarios, prints tables and writes the report.
 * @returns the exit code: 0, 1 when a scenario could not run, 2 for a wrong flag, 130 after Ctrl-C. A missed target is not a failure
 */
export async function bench(root: string, terminal: Terminal, argv: string[]): Promise<number> {
  let parsed: OptionSpec;
  let chosen: Scenario[] = [];
  try {
    parsed = readOptions(argv);
    if (parsed.kind === 'run') chosen = chooseScenarios(parsed.options);
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${usage}\n`);
    return 2;
  }
  if (parsed.kind === 'help') terminal.say(usage);
  if (parsed.kind === 'list') list(terminal);
  return parsed.kind === 'run' ? runOnStack(root, terminal, parsed.options, chosen) : 0;
}

function list({ say }: Terminal): void {
  for (const { name, what, onDemand } of scenarios) say(`${name.padEnd(16)} ${what}${onDemand ? ' (on demand)' : ''}`);
}

async function runOnStack(root: string, terminal: Terminal, options: Options, chosen: Scenario[]): Promise<number> {
  const report = emptyReport(root, options);
  const stopped = new AbortController();
  const { keep, against } = options;
  const stack = new BenchStack(root, { keep, otherPids: against?.pids ?? [], terminal });
  stopOnSignals(terminal, stopped, stack);
  try {
    await terminal.step('starting the stack', () => stack.start());
  } catch (error) {
    if (stopped.signal.aborted) return 130;
    terminal.say(`The stack did not start: ${(error as Error).message}`);
    return 1;
  }
  try {
    report.stack = stack.settings;
    for (const line of describeRun(report)) terminal.say(line);
    report.scenarios = await runScenarios(chosen, { stack, options, say: terminal.say, stopped: stopped.signal });
    if (stopped.signal.aborted) return 130;
    report.targets = judge(report.scenarios);
    for (const line of describeTargets(report.targets)) terminal.say(line);
    terminal.say(`\nreport: ${write(root, report, options)}`);
  } finally {
    await stack.stop();
  }
  return report.scenarios.some(({ failure }) => failure !== undefined) ? 1 : 0;
}

function emptyReport(root: string, { only, seconds, warmup, payloadBytes, connections }: Options): BenchReport {
  return {
    schemaVersion,
    startedAt: new Date().toISOString(),
    commit: describeCommit(root),
    machine: describeMachine(),
    stack: {},
    options: {
      only: only.join(',') || 'all',
      seconds,
      warmup,
      'payload bytes': payloadBytes,
      connections: connections.join(',') || 'default of each scenario',
    },
    scenarios: [],
    targets: [],
  };
}

function stopOnSignals({ say }: Terminal, stopped: AbortController, stack: BenchStack): void {
  const stop = (signal: NodeJS.Signals): void => {
    stopped.abort();
    say(`\n${signal}: stopping (repeat to stop at once)`);
    stack.stop().then(
      () => process.exit(130),
      (error: Error) => {
        say(`could not stop cleanly: ${error.message}`);
        process.exit(1);
      },
    );
  };
  onStopSignals(stop, () => process.exit(130));
}

function write(root: string, report: BenchReport, { json }: Options): string {
  const file = json ? resolve(json) : join(root, '.data/bench', `${report.startedAt.replaceAll(':', '-')}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`);
  return file;
}

/** Runs the scenarios one after another. An error becomes the scenario's `failure`; the next one still runs. */
async function runScenarios(
  chosen: Scenario[],
  { stack, options, say, stopped }: { stack: BenchStack; options: Options; say: Terminal['say']; stopped: AbortSignal },
): Promise<ScenarioReport[]> {
  const reports: ScenarioReport[] = [];
  for (const scenario of chosen) {
    if (stopped.aborted) break;
    const { name, what } = scenario;
    const report: ScenarioReport = { name, what, settings: scenario.settings(options), steps: [] };
    reports.push(report);
    say(`\n${name}: ${what}`);
    if (Object.keys(report.settings).length) say(`  ${describeSettings(report.settings)}`);
    say(heading());
    const measure = async (plan: StepPlan, load: Load) => {
      const { seconds = options.seconds, warmup = options.warmup } = plan;
      const step = await measureStep({ ...plan, seconds, warmup }, stack.meter, load);
      report.steps.push(step);
      describeStep(step).forEach(say);
      return step;
    };
    const steps = (of: string): StepReport[] => reports.find((one) => one.name === of)?.steps ?? [];
    const compare = (before: StepReport, after: StepReport) => compareSteps(before, after).forEach(say);
    try {
      await stack.empty();
      await scenario.run({ stack, options, say, steps, measure, compare });
      await stack.empty();
    } catch (error) {
      if (stopped.aborted) break;
      report.failure = (error as Error).message;
      say(`  FAILED: ${(error as Error).stack ?? report.failure}`);
    }
  }
  return reports;
}
