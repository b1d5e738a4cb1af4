import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { rawJson, scheduleSchemas as schemas } from '@spooled/contracts';
import { CurrentChecks, CurrentPrincipal, Requires } from '../auth/access.decorators.js';
import {
  type CheckCaller,
  type Page,
  type Principal,
  shownReceiver,
  storedSettings,
  textPage,
  type Viewer,
} from '@spooled/service';
import { ApiTags } from '../http/api-documentation.js';
import { ListResponse } from '../http/list-response.js';
import { LargeListResponse } from '../load/list-turns.js';
import { MayBeStale } from '../http/stale-read.js';
import { ResponseSchema, TextResponse } from '../http/response-schema.js';
import { validated } from '../http/validated.js';
import { idParam } from '../http/path-params.js';
import { SchedulesService } from './schedules.service.js';
import type { ScheduleRow } from '@spooled/data-access';
import { visibleJobSettings } from '@spooled/domain';

const scheduleId = idParam('Schedule');

/** Controller of the schedule routes. */
@ApiTags('schedules')
@Controller('schedules')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Post()
  @Requires('operate')
  @ResponseSchema(schemas.createdSchedule, 201)
  async create(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Body(validated(schemas.createScheduleBody)) body: schemas.CreateScheduleBody,
  ): Promise<schemas.CreatedSchedule> {
    const { id, name, cron_expression, next_run_at } = await this.schedules.create(principal, checks, body);
    return { id, name, cron_expression, next_run_at };
  }

  @Post('preview')
  @Requires('read')
  @ResponseSchema(schemas.schedulePreview)
  preview(
    @CurrentPrincipal() principal: Principal,
    @Body(validated(schemas.previewScheduleBody)) body: schemas.PreviewScheduleBody,
  ): Promise<schemas.SchedulePreview> {
    return this.schedules.preview(principal, body);
  }

  @Get()
  @Requires('read')
  @LargeListResponse(schemas.schedule)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(validated(schemas.listSchedulesQuery)) query: schemas.ListSchedulesQuery,
  ): Promise<Page<string>> {
    return textPage(await this.schedules.list(principal, query), (row) => toScheduleResponse(row, principal));
  }

  @Get(':id')
  @Requires('read')
  @TextResponse(schemas.schedule)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', scheduleId) id: string): Promise<string> {
    return toScheduleResponse(await this.schedules.get(principal, id), principal);
  }

  @Put(':id')
  @Requires('operate')
  @TextResponse(schemas.schedule)
  async update(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', scheduleId) id: string,
    @Body(validated(schemas.updateScheduleBody)) body: schemas.UpdateScheduleBody,
  ): Promise<string> {
    return toScheduleResponse(await this.schedules.update(principal, checks, id, body), principal);
  }

  @Delete(':id')
  @Requires('operate')
  @ResponseSchema(null, 204)
  remove(@CurrentPrincipal() principal: Principal, @Param('id', scheduleId) id: string): Promise<void> {
    return this.schedules.remove(principal, id);
  }

  @Post(':id/pause')
  @Requires('operate')
  @TextResponse(schemas.schedule)
  async pause(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', scheduleId) id: string,
  ): Promise<string> {
    return toScheduleResponse(await this.schedules.update(principal, checks, id, { is_active: false }), principal);
  }

  @Post(':id/resume')
  @Requires('operate')
  @TextResponse(schemas.schedule)
  async resume(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', scheduleId) id: string,
  ): Promise<string> {
    return toScheduleResponse(await this.schedules.update(principal, checks, id, { is_active: true }), principal);
  }

  @Post(':id/trigger')
  @Requires('operate')
  @ResponseSchema(schemas.triggeredSchedule)
  async trigger(
    @CurrentPrincipal() principal: Principal,
    @CurrentChecks() checks: CheckCaller,
    @Param('id', scheduleId) id: string,
  ): Promise<schemas.TriggeredSchedule> {
    const { jobId, triggeredAt } = await this.schedules.trigger(principal, checks, id);
    return { job_id: jobId, triggered_at: triggeredAt, scheduled_at: triggeredAt };
  }

  @Get(':id/history')
  @Requires('read')
  @MayBeStale()
  @ListResponse(schemas.scheduleRun)
  history(
    @CurrentPrincipal() principal: Principal,
    @Param('id', scheduleId) id: string,
    @Query(validated(schemas.scheduleHistoryQuery)) query: schemas.ScheduleHistoryQuery,
  ): Promise<Page<schemas.ScheduleRun>> {
    return this.schedules.history(principal, id, query);
  }
}

/** A schedule as JSON text; its documents are copied as stored, without parsing. */
function toScheduleResponse(
  { payload_template, tags, metadata, settings, ...schedule }: ScheduleRow,
  viewer: Viewer,
): string {
  const visible = visibleJobSettings(storedSettings(settings));
  const callback_url = shownReceiver(viewer, visible.callback_url);
  return rawJson({ ...schedule, ...visible, callback_url }, { payload_template, tags, metadata });
}
