import Joi from 'joi';
import { modelTiers } from '../../../db/entities/institution';
import { wholeNumber } from '../../http/request/fields';

/** The fields of an AI policy, of an exam or of the institution's default (section AI policy). */
export const aiPolicyFields = {
  allowed: Joi.boolean().description('False disables the assistant entirely.').example(true),
  model_tier: Joi.string().valid(...modelTiers).description('`cloud`: hosted models only; `local`: models on the device only; `any`: both.').example('any'),
  max_interactions: wholeNumber(0, 1_000_000).allow(null).description('A budget per attempt; null sets none.').example(20),
};

/** What an exam may record, of an exam or of the institution's default (section Proctoring). */
export const proctoringFields = {
  camera: Joi.boolean().description('Whether the student must grant the camera.').example(true),
  microphone: Joi.boolean().description('Whether the student must grant the microphone.').example(false),
  screen: Joi.boolean().description('Whether the student must grant the recording of the screen.').example(true),
};
