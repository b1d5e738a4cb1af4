import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { scheduleSchemas as schemas } from '@spooled/contracts';
import { CurrentPrincipal } from '../auth/access.decorators.js';
import type { Principal } from '../auth/principal.js';
import { Answers } from '../http/response-schema.js';
import { checked } from '../http/validated.js';
import { idOf } from '../http/path-id.js';
import { AnswersText } from '../http/raw-json.js';
import { scheduleAnswer, scheduleListAnswer } from './schedule-responses.js';
import { SchedulesService } from './schedules.service.js';

const scheduleId = idOf('Schedule');

/** Jobs that come back by the clock. */
@ApiTags('schedules')
@Controller('schedules')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesService) {}

  @Post()
  @Answers(schemas.createdSchedule, 201)
  async create(
    @CurrentPrincipal() principal: Principal,
    @Body(checked(schemas.createScheduleBody)) body: schemas.CreateScheduleBody,
  ): Promise<schemas.CreatedSchedule> {
    const { id, name, cron_expression, next_run_at } = await this.schedules.create(principal, body);
    return { id, name, cron_expression, next_run_at };
  }

  @Get()
  @AnswersText()
  @Answers(schemas.scheduleList)
  async list(
    @CurrentPrincipal() principal: Principal,
    @Query(checked(schemas.listSchedulesQuery)) query: schemas.ListSchedulesQuery,
  ): Promise<string> {
    return scheduleListAnswer(await this.schedules.list(principal, query));
  }

  @Get(':id')
  @AnswersText()
  @Answers(schemas.schedule)
  async get(@CurrentPrincipal() principal: Principal, @Param('id', scheduleId) id: string): Promise<string> {
    return scheduleAnswer(await this.schedules.get(principal, id));
  }

  @Put(':id')
  @AnswersText()
  @Answers(schemas.schedule)
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('id', scheduleId) id: string,
    @Body(checked(schemas.updateScheduleBody)) body: schemas.UpdateScheduleBody,
  ): Promise<string> {
    return scheduleAnswer(await this.schedules.update(principal, id, body));
  }

  @Delete(':id')
  @Answers(null, 204)
  remove(@CurrentPrincipal() principal: Principal, @Param('id', scheduleId) id: string): Promise<void> {
    return this.schedules.remove(principal, id);
  }

  @Post(':id/pause')
  @AnswersText()
  @Answers(schemas.schedule)
  async pause(@CurrentPrincipal() principal: Principal, @Param('id', scheduleId) id: string): Promise<string> {
    return scheduleAnswer(await this.schedules.update(principal, id, { is_active: false }));
  }

  @Post(':id/resume')
  @AnswersText()
  @Answers(schemas.schedule)
  async resume(@CurrentPrincipal() principal: Principal, @Param('id', scheduleId) id: string): Promise<string> {
    return scheduleAnswer(await this.schedules.update(principal, id, { is_active: true }));
  }

  @Post(':id/trigger')
  @Answers(schemas.triggeredSchedule)
  async trigger(
    @CurrentPrincipal() principal: Principal,
    @Param('id', scheduleId) id: string,
  ): Promise<schemas.TriggeredSchedule> {
    const { jobId, triggeredAt } = await this.schedules.trigger(principal, id);
    return { job_id: jobId, triggered_at: triggeredAt, scheduled_at: triggeredAt };
  }

  @Get(':id/history')
  @Answers(schemas.scheduleHistory)
  history(
    @CurrentPrincipal() principal: Principal,
    @Param('id', scheduleId) id: string,
    @Query(checked(schemas.scheduleHistoryQuery)) page: schemas.ScheduleHistoryQuery,
  ): Promise<schemas.ScheduleRun[]> {
    return this.schedules.history(principal, id, page);
  }
}
