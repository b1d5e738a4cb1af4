import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, useFolder } from '@spooled/testing';

interface Report {
  schemaVersion: number;
  scenarios: {
    name: string;
    failure?: string;
    steps: { rows: { count: number; errors: object; latency: object | null }[]; costs: Record<string, unknown> }[];
  }[];
  targets: { name: string }[];
}

const folder = useFolder();

/** Runs the bench as `npm run bench` does; all its processes inherit `mark`. */
async function bench(flags: string[], mark = ''): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, ['apps/bench/run.mjs', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, BENCH_SPEC_MARK: mark },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

/** Running processes with this mark. Empty without /proc. */
function running(mark: string): string[] {
  return listOf('/proc').flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(mark)
        ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        : [];
    } catch {
      return [];
    }
  });
}

function listOf(path: string): string[] {
  try {
    return readdirSync(path).filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

// Among the specs of faults, because it loads both cores and looks for processes that were left.
describe('npm run bench', () => {
  it('measures, writes its report, and leaves no process running', async () => {
    const mark = randomUUID();
    const file = join(folder, 'report.json');
    const chosen = ['--only', 'health,post,cycle', '--seconds', '1', '--warmup', '0.3', '--connections', '4'];
    const { code, output } = await bench([...chosen, '--json', file], mark);
    expect(output).toContain(`report: ${file}`);

    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const names = report.scenarios.map(({ name }) => name);
    expect(names).toEqual(['health', 'post', 'floor', 'cycle-rest', 'cycle-grpc', 'cycle-batches']);
    for (const { name, failure, steps } of report.scenarios) {
      expect([name, failure, steps.length > 0]).toEqual([name, undefined, true]);
      for (const { count, errors, latency } of steps.flatMap(({ rows }) => rows)) {
        const times = expect.objectContaining({ p50: expect.any(Number), p99: expect.any(Number) });
        expect({ name, isCounted: count > 0, errors, latency }).toEqual({
          name,
          isCounted: true,
          errors: {},
          latency: times,
        });
      }
    }
    expect(report.targets.map(({ name }) => name)).toContain('whole cycle over gRPC');
    expect(code).toBe(0);
    // The kernel closes the output of an exiting process shortly before the process is gone.
    await eventually(() => expect(running(mark)).toEqual([]));
  }, 180_000);

  it('names an unknown flag', async () => {
    const { code, output } = await bench(['--onyl', 'health']);
    expect([code, output]).toEqual([2, expect.stringContaining("Unknown option '--onyl'")]);
  });

  it('names an unknown scenario', async () => {
    const { code, output } = await bench(['--only', 'helth']);
    expect([code, output]).toEqual([2, expect.stringContaining('"helth"')]);
  });
});
