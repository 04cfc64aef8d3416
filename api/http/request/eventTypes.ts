import Joi from 'joi';
import type { EventType } from '../../../domain/events/eventTypes';

/** Returns the schema of one exact event type of these. */
export const exactEventType = (types: readonly EventType[]) =>
  Joi.string().valid(...types).messages({ 'any.only': '{{#label}} must be one exact event type, no pattern such as exam.*: one of {{#valids}}' });
