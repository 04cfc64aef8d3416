import Joi from 'joi';
import type { SchemaType } from '../../../lib/schemaType';

const id = Joi.string().required().example('file_01jd4k6f2mep2s5xg5yhc8m1zr');

/** A stored file in the response to its upload. */
export const storedFileSchema = Joi.object({
  ref: id.description('The id of the file; usable as `file` in `code_spec`, as `file` below is.'),
  file: Joi.object({ id }).required().description('To be put into `code_spec`, or that of an attempt into `attachments`, as it is.'),
  filename: Joi.string().required().description('The last part of the path that was sent, without control characters.').example('starter.zip'),
  size: Joi.number().integer().required().description('In bytes.').example(20_480),
  sha256: Joi.string()
    .required()
    .description('Hexadecimal SHA-256 of the bytes, as they were counted coming in.')
    .example('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'),
  content_type: Joi.string().required().description('As sent, else `application/octet-stream`.').example('application/zip'),
}).meta({ title: 'StoredFile' });
export type StoredFileResponse = SchemaType<typeof storedFileSchema>;
