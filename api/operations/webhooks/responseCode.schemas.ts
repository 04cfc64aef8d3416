import Joi from 'joi';
import { responseCodePattern } from '../../../db/repositories/webhooks/responseCodes';

/** A status code of a receiver, or a class of them, in a query or a body. */
export const responseCode = Joi.string()
  .pattern(responseCodePattern)
  .message('{{#label}} must be a status code such as 503, or a class such as 5xx');
