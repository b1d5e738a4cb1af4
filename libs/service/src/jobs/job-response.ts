import { rawJson } from '@spooled/contracts';
import type { JobRow } from '@spooled/data-access';
import { visibleJobSettings } from '@spooled/domain';
import { shownReceiver, type Viewer } from '../auth/receiver-urls.js';
import { asJobSettings } from './job-settings.js';

/** A job as JSON text; its documents are copied as stored, without parsing. */
export function toJobResponse({ payload, result, tags, settings, ...job }: JobRow, viewer: Viewer): string {
  const visible = visibleJobSettings(asJobSettings(settings));
  const receivers = {
    completion_webhook: shownReceiver(viewer, job.completion_webhook),
    callback_url: shownReceiver(viewer, visible.callback_url),
  };
  return rawJson({ ...job, ...visible, ...receivers }, { payload, result, tags });
}
