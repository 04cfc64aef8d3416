import Joi from 'joi';
import { statisticsPeriods } from '../../../domain/webhooks/endpointStatistics';
import type { SchemaType } from '../../../lib/schemaType';
import { timestamp } from '../../http/request/fields';

export const statisticsQuery = Joi.object({
  period: Joi.string()
    .valid(...statisticsPeriods)
    .default('24h')
    .description('`24h`: 24 ranges of an hour. `30d`: 30 ranges of 24 hours. Both end with the present hour.')
    .example('24h'),
});

const latency = Joi.number().integer().allow(null).required();
const ofResponses = 'of the latency of attempts that got a response, estimated from a histogram; null without one.';

const rangeFields = {
  from: timestamp().required().description('Begin of the range.').example('2026-11-20T09:00:00.000Z'),
  until: timestamp().required().description('End of the range, exclusive.').example('2026-11-20T10:00:00.000Z'),
  attempts: Joi.number().integer().required().description('Attempts that began in the range.').example(120),
  failures: Joi.number().integer().required().description('Those of them that failed.').example(3),
  latency_p50_ms: latency.description(`Median ${ofResponses}`).example(84),
  latency_p95_ms: latency.description(`95th percentile ${ofResponses}`).example(310),
};

const rangeSchema = Joi.object(rangeFields).meta({ title: 'EndpointStatisticsRange' });
export type StatisticsRangeResponse = SchemaType<typeof rangeSchema>;

export const endpointStatisticsSchema = Joi.object({
  ...rangeFields,
  from: rangeFields.from.example('2026-11-19T10:00:00.000Z'),
  ranges: Joi.array().items(rangeSchema).required().description('Each range of the period, oldest first, those without attempts too.'),
}).meta({ title: 'EndpointStatistics' });
export type EndpointStatisticsResponse = SchemaType<typeof endpointStatisticsSchema>;
