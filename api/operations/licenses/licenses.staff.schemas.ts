import Joi from 'joi';
import { labLicense } from '../../../domain/licenses/limits';
import { wholeNumber } from '../../http/request/fields';

export const newLabLicenseSchema = Joi.object({
  license_type: Joi.string().valid('institution').required().description('Students and faculty are licensed when they are created.').example('institution'),
  seats: wholeNumber(labLicense.seats.min, labLicense.seats.max).required().description('Machines; `max_activations` of the license.').example(30),
  days: wholeNumber(labLicense.days.min, labLicense.days.max).required().example(365),
}).required();
