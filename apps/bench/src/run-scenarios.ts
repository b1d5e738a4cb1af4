import { measureStep } from './measure/measure-step.js';
import { describeSettings, describeStep, heading } from './output/table.js';
import type { Terminal } from './output/terminal.js';
import type { Options } from './options.js';
import type { ScenarioReport, StepReport } from './report.js';
import type { BenchRun, Load, Scenario, StepPlan } from './scenario.js';
import type { BenchStack } from './stack/bench-stack.js';

/** Runs the scenarios one after another. An error becomes the scenario's `failure`; the next one still runs. */
export async function runScenarios(
  chosen: Scenario[],
  {
    stack,
    options,
    terminal,
    stopped,
  }: { stack: BenchStack; options: Options; terminal: Terminal; stopped: AbortSignal },
): Promise<ScenarioReport[]> {
  const reports: ScenarioReport[] = [];
  for (const scenario of chosen) {
    if (stopped.aborted) break;
    const { name, what } = scenario;
    const report: ScenarioReport = { name, what, settings: scenario.settings(options), steps: [] };
    reports.push(report);
    const { say } = terminal;
    say(`\n${name}: ${what}`);
    if (Object.keys(report.settings).length) say(`  ${describeSettings(report.settings)}`);
    say(heading());
    const measure = (plan: StepPlan, load: Load) => runStep(plan, load, { stack, options, terminal, report });
    const steps = (of: string): StepReport[] => reports.find((one) => one.name === of)?.steps ?? [];
    const run: BenchRun = { stack, options, say, steps, measure };
    try {
      await stack.empty();
      await scenario.run(run);
      await stack.empty();
    } catch (error) {
      if (stopped.aborted) break;
      report.failure = (error as Error).message;
      say(`  FAILED: ${(error as Error).stack ?? report.failure}`);
    }
  }
  return reports;
}

async function runStep(
  plan: StepPlan,
  load: Load,
  {
    stack,
    options,
    terminal,
    report,
  }: { stack: BenchStack; options: Options; terminal: Terminal; report: ScenarioReport },
): Promise<StepReport> {
  const { seconds = options.seconds, warmup = options.warmup } = plan;
  const step = await measureStep({ ...plan, seconds, warmup }, stack.meter, load);
  report.steps.push(step);
  for (const line of describeStep(step)) terminal.say(line);
  return step;
}
