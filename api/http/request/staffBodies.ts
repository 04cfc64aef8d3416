import Joi from 'joi';
import { staffRoles } from '../../../db/repositories/staff/staff';
import { emailAddress, text, wholeNumber } from './fields';

// The bodies of the operations about staff, which are the forms of the support console, too.

const name = () => text(100).example('Sam Support');
const role = () => Joi.string().valid(...staffRoles).example('support');

export const newStaffSchema = Joi.object({
  name: name().required(),
  email: emailAddress().required().description('Their own mailbox at work.').example('sam@platform.example'),
  role: role().required(),
});

export const staffChangesSchema = Joi.object({
  name: name(),
  email: emailAddress().example('sam@platform.example'),
  role: role().description('Of a person who signs in with an identity provider: until their next sign-in, which sets it again.'),
}).min(1);

/** How many days a personal token is valid. */
export const tokenDays = { least: 1, most: 365, usual: 90 } as const;

export const newStaffTokenSchema = Joi.object({
  name: text(100).required().description('What it is for.').example('Command line, laptop'),
  expires_in_days: wholeNumber(tokenDays.least, tokenDays.most).default(tokenDays.usual).example(90),
});
