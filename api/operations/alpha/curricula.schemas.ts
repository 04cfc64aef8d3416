import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';
import { curriculumStatuses } from '../../../db/repositories/alpha/curricula';
import { conceptBounds } from '../../../domain/alpha/concepts';
import { idParams, text, timestamp, timestampOrNull } from '../../http/request/fields';

const exampleId = 'cur_01jd4k6f2mep2s5xg5yhc8m1zr';

/** `{ id }` of a curriculum's path. */
export const curriculumParams = idParams('Id of the curriculum.', exampleId);

const exampleConcepts = [
  { id: 'fractions.reading', title: 'Reading fractions', requires: [] },
  { id: 'fractions.adding', title: 'Adding fractions', requires: ['fractions.reading'] },
  { id: 'fractions.dividing', title: 'Dividing fractions', requires: ['fractions.adding'] },
];

const concept = Joi.object({
  id: Joi.string().required().description('Unique in the curriculum.').example('fractions.adding'),
  title: Joi.string().required().example('Adding fractions'),
  requires: Joi.array().items(Joi.string()).required().description('Ids of the concepts that come before it. Informational; not enforced.').example(['fractions.reading']),
}).meta({ title: 'Concept' });

/** The fields of a curriculum in every response. */
const curriculumFields = {
  id: Joi.string().required().example(exampleId),
  title: Joi.string().required().example('Fractions'),
  shared: Joi.boolean().required().description('Made by the platform, for every institution; otherwise it is the institution\'s own.').example(false),
  status: Joi.string().valid(...curriculumStatuses).required().example('published'),
  concept_count: Joi.number().integer().required().example(exampleConcepts.length),
  published_at: timestampOrNull('Null for a draft.').example('2026-08-28T08:00:00.000Z'),
  created_at: timestamp().required().example('2026-08-28T08:00:00.000Z'),
};

/** A curriculum in a list. */
export const curriculumSchema = Joi.object(curriculumFields).meta({ title: 'Curriculum' });
export type CurriculumResponse = SchemaType<typeof curriculumSchema>;

export const curriculumDetailsSchema = Joi.object({
  ...curriculumFields,
  concepts: Joi.array().items(concept).required().description('In the order in which they were given.').example(exampleConcepts),
}).meta({ title: 'CurriculumDetails' });
export type CurriculumDetailsResponse = SchemaType<typeof curriculumDetailsSchema>;

const conceptId = () =>
  text(64)
    .pattern(conceptBounds.id)
    .messages({ 'string.pattern.base': '{{#label}} must be 1 to 64 of a-z, 0-9, dot, underscore and hyphen' });

const newConcept = Joi.object({
  id: conceptId().required().description('Unique in the curriculum.').example('fractions.adding'),
  title: text(200).required().description('Shown to students.').example('Adding fractions'),
  requires: Joi.array()
    .items(conceptId())
    .max(conceptBounds.requires)
    .description('Ids of concepts of this curriculum, each once, without circles.')
    .example([]),
});

/** A new curriculum, sent by the platform or an admin. */
export const newCurriculumSchema = Joi.object({
  title: text(200).required().description('Shown to students.').example('Fractions'),
  concepts: Joi.array().items(newConcept).min(1).max(conceptBounds.concepts).required().description('What is learned, in the order in which it is shown.').example(exampleConcepts),
}).required();
