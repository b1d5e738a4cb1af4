import { rawJson } from '@spooled/contracts';
import type { ScheduleRow } from '@spooled/data-access';
import { visibleJobSettings } from '@spooled/domain';
import { shownReceiver, type Viewer } from '@spooled/service';
import { storedSettings } from '@spooled/service';

/** A schedule as JSON text; its documents are copied as stored, without parsing. */
export function toScheduleResponse(
  { payload_template, tags, metadata, settings, ...schedule }: ScheduleRow,
  viewer: Viewer,
): string {
  const visible = visibleJobSettings(storedSettings(settings));
  const callback_url = shownReceiver(viewer, visible.callback_url);
  return rawJson({ ...schedule, ...visible, callback_url }, { payload_template, tags, metadata });
}
