import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { appNames } from '../../../db/repositories/devices/seats';
import { activationsPerLicense, seatsPerApp } from '../../../domain/devices/limits';
import { pageFields, reference, text, timestamp } from '../../http/request/fields';

/** The version of an app, as the app reports it. */
export const appVersion = () => text(50).description("The app's own.").example('2.4.1');

const seatId = 'seat_01jd4k6f2mep2s5xg5yhc8m1zr';

export const seatParams = Joi.object({
  id: reference().required().description('A license.').example('lic_01jd4k6f2mep2s5xg5yhc8m1zr'),
  seatId: reference().required().description('An active seat of the license.').example(seatId),
});

const device = {
  device_id: Joi.string().required().description("The app's own name for the device; the same in every app.").example('0c5b1f6e-4e0c-4c3f-9a53-2f6f6f0f7a10'),
  device_name: Joi.string().required().example("Ada's laptop"),
  platform: Joi.string().required().example('macos'),
  app_version: Joi.string().required().description('As of the last heartbeat that reported it.').example('2.4.1'),
};

const lastSeen = timestamp().required().description('The last sign-in or heartbeat, to the minute.').example('2026-11-20T09:30:00.000Z');

const seatFields = {
  id: Joi.string().required().example(seatId),
  app: Joi.string().valid(...appNames).required().example('svcapp'),
  ...device,
  last_seen_at: lastSeen,
  signed_in_at: timestamp().required().description('When the device signed in last.').example('2026-11-20T07:55:00.000Z'),
};

/** The seat of a device in an app. */
export const seatSchema = Joi.object(seatFields).meta({ title: 'Seat' });
export type SeatResponse = SchemaType<typeof seatSchema>;

const activation = Joi.object({
  ...device,
  first_seen_at: timestamp().required().example('2026-09-03T07:55:00.000Z'),
  last_seen_at: lastSeen,
}).meta({ title: 'Activation' });
export type ActivationResponse = SchemaType<typeof activation>;

export const devicesSchema = Joi.object({
  user_id: Joi.string().allow(null).required().description('Whose license it is; null if nobody has it.').example('stu_01jd4k6f2mep2s5xg5yhc8m1zr'),
  seats: Joi.array()
    .items(seatSchema)
    .required()
    .description(`The active seats, ${seatsPerApp} in each app at most, the newest sign-in first; all of them on every page.`),
  activations: Joi.array()
    .items(activation)
    .required()
    .description(`The devices that have signed in on the license, one page, the newest first; ${activationsPerLicense} are remembered.`),
  ...pageFields('Activations'),
}).meta({ title: 'Devices' });

export const revokedSeatSchema = Joi.object({
  ...seatFields,
  revoked_at: timestamp().required().example('2026-11-20T09:31:00.000Z'),
}).meta({ title: 'RevokedSeat' });
