import Joi from 'joi';
import { maxAdvanceSeconds } from '../../../domain/sandbox/advanceClock';
import type { SchemaType } from '../../../lib/schemaType';
import { timestamp, wholeNumber } from '../../http/request/fields';

export const clockAdvanceSchema = Joi.object({
  advance_seconds: wholeNumber(1, maxAdvanceSeconds)
    .messages({
      'number.min': '{{#label}} must be at least {{#limit}}: the clock only moves forward',
      'number.max': `{{#label}} must be at most {{#limit}} (${maxAdvanceSeconds / 86_400} days) a call`,
    })
    .required()
    .description('The clock only moves forward.')
    .example(604_800),
});

export const clockSchema = Joi.object({
  now: timestamp().required().description('The time of the sandbox.').example('2026-11-27T09:30:00.000Z'),
  offset_seconds: Joi.number().integer().required().description('How far it is ahead of the real time.').example(604_800),
}).meta({ title: 'SandboxClock' });

export type ClockResponse = SchemaType<typeof clockSchema>;
