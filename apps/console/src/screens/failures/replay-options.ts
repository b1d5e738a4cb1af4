import type { Body } from '@spooled/sdk/browser';
import { readMergePatch } from '../../ui/json-text';

/** What a user has typed in the dialog. */
export interface ReplayForm {
  patch: string;
  perSecond: string;
  staged: boolean;
  stages: string;
  stopShare: string;
  stopAfter: string;
}

/** One job shows whether the cause is gone; ten show whether that was luck. */
export const defaultForm: ReplayForm = {
  patch: '',
  perSecond: '',
  staged: true,
  stages: '1, 10',
  stopShare: '20',
  stopAfter: '1',
};

export type ReplayProblems = Partial<Record<keyof ReplayForm, string>>;
type ReplayOptions = Omit<Body<'POST /api/v1/jobs/dlq/replays'>, 'dryRun'>;

/** The API's options, or what is wrong with the form. */
export function readForm(form: ReplayForm): { options: ReplayOptions; problems: ReplayProblems } {
  const problems: ReplayProblems = {};
  const note = (field: keyof ReplayForm, problem: string | null) => {
    if (problem !== null) problems[field] = problem;
  };
  const patch = readMergePatch(form.patch);
  note('patch', patch.problem);
  const perSecond = form.perSecond.trim() === '' ? null : Number(form.perSecond);
  note('perSecond', perSecond === null ? null : wholeProblem(perSecond, 1_000));
  const options: ReplayOptions = { payloadPatch: patch.value, perSecond };
  if (!form.staged) return { options, problems };
  const stages = form.stages
    .split(/[\s,→>]+/)
    .filter(Boolean)
    .map(Number);
  note('stages', stagesProblem(stages));
  const share = Number(form.stopShare);
  note('stopShare', form.stopShare.trim() !== '' && share >= 0 && share <= 100 ? null : 'A share from 0 to 100 %');
  const minEnded = Number(form.stopAfter);
  note('stopAfter', wholeProblem(minEnded, 10_000));
  return { options: { ...options, stages, maxFailureShare: share / 100, minEnded }, problems };
}

const wholeProblem = (value: number, most: number): string | null =>
  Number.isInteger(value) && value >= 1 && value <= most ? null : `A whole number from 1 to ${most}`;

function stagesProblem(stages: readonly number[]): string | null {
  if (stages.length === 0 || stages.length > 10) return 'One to ten numbers of jobs';
  return stages.every((stage) => wholeProblem(stage, 1_000_000) === null) ? null : 'Whole numbers, such as 1, 10';
}
