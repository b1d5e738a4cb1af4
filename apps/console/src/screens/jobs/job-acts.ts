import type { Operation, OperationPreview } from '@spooled/sdk/browser';
import { api } from '../../api/client';
import { holdSeconds } from '../../parts/held-operations';
import type { JobSelection } from './job-selection';

/** What is done to many jobs that no worker holds. */
export type JobAct = 'run_now' | 'priority' | 'move' | 'patch' | 'cancel' | 'delete';

interface ActTexts {
  /** Of the button that asks first. */
  label: string;
  /** Before the selection in words. */
  title: string;
  about: string;
  /** On the button that does it, before the number of jobs. */
  act: string;
  /** After the number of jobs. */
  would: string;
  will: string;
  danger: boolean;
}

/** In the order of menus. */
export const actTexts: Record<JobAct, ActTexts> = {
  run_now: {
    label: 'Run now…',
    title: 'Run now',
    about: 'Jobs that are scheduled or wait to retry become claimable. A job that fails meanwhile keeps its backoff.',
    act: 'Run now',
    would: 'would become claimable',
    will: 'will become claimable',
    danger: false,
  },
  priority: {
    label: 'Change priority…',
    title: 'Change the priority of',
    about: 'Jobs that have this priority already, and jobs that a worker holds, stay as they are.',
    act: 'Change',
    would: 'would get this priority',
    will: 'will get another priority',
    danger: false,
  },
  move: {
    label: 'Move…',
    title: 'Move',
    about:
      'Moves jobs that wait to another queue. Those that its contract or receiver does not allow, and jobs that a worker holds, stay.',
    act: 'Move',
    would: 'would be moved',
    will: 'will be moved',
    danger: false,
  },
  patch: {
    label: 'Patch payload…',
    title: 'Patch the payload of',
    about:
      'Changes jobs that wait. Those whose payload the contract of their queue would refuse, and jobs that a worker holds, stay as they are.',
    act: 'Patch',
    would: 'would be patched',
    will: 'will get a patched payload',
    danger: false,
  },
  cancel: {
    label: 'Cancel…',
    title: 'Cancel',
    about: 'Cancels jobs that wait, are scheduled or wait to retry. Jobs that a worker holds continue.',
    act: 'Cancel',
    would: 'would be cancelled',
    will: 'will be cancelled',
    danger: true,
  },
  delete: {
    label: 'Delete…',
    title: 'Delete',
    about:
      'Deletes jobs that wait, with their history; jobs that cannot run without them are cancelled. Once it has begun it cannot be undone.',
    act: 'Delete',
    would: 'would be deleted',
    will: 'will be deleted',
    danger: true,
  },
};

export const jobActs = Object.keys(actTexts) as JobAct[];

/** What the user enters for an act. */
export interface ActOptions {
  priority: number;
  toQueue: string;
  payloadPatch: Record<string, unknown>;
}

interface ActCalls {
  preview(jobs: JobSelection, options: ActOptions, signal: AbortSignal): Promise<OperationPreview>;
  begin(jobs: JobSelection, options: ActOptions): Promise<Operation>;
}

const { operations } = api;

export const actCalls: Record<JobAct, ActCalls> = {
  run_now: {
    preview: (jobs, _, signal) => operations.previewRunJobsNow(jobs, { signal }),
    begin: (jobs) => operations.runJobsNow({ ...jobs, holdSeconds }),
  },
  priority: {
    preview: (jobs, { priority }, signal) => operations.previewPrioritizeJobs({ ...jobs, priority }, { signal }),
    begin: (jobs, { priority }) => operations.prioritizeJobs({ ...jobs, priority, holdSeconds }),
  },
  move: {
    preview: (jobs, { toQueue }, signal) => operations.previewMoveJobs({ ...jobs, toQueue }, { signal }),
    begin: (jobs, { toQueue }) => operations.moveJobs({ ...jobs, toQueue, holdSeconds }),
  },
  patch: {
    preview: (jobs, { payloadPatch }, signal) => operations.previewPatchPayloads({ ...jobs, payloadPatch }, { signal }),
    begin: (jobs, { payloadPatch }) => operations.patchPayloads({ ...jobs, payloadPatch, holdSeconds }),
  },
  cancel: {
    preview: (jobs, _, signal) => operations.previewCancelJobs(jobs, { signal }),
    begin: (jobs) => operations.cancelJobs({ ...jobs, holdSeconds }),
  },
  delete: {
    preview: (jobs, _, signal) => operations.previewDeleteJobs(jobs, { signal }),
    begin: (jobs) => operations.deleteJobs({ ...jobs, holdSeconds }),
  },
};
