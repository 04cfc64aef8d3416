import Joi from 'joi';

/** The samplers that decide which calls are recorded. What a call causes is recorded if the call is: `parentbased_` changes nothing. */
const samplers = ['always_on', 'always_off', 'traceidratio', 'parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const;

/** The variables of OpenTelemetry that processes read; its SDK reads further ones itself, such as `OTEL_BSP_MAX_QUEUE_SIZE`. */
export const tracingVariables = {
  // Empty: no traces, and nothing of the SDK is loaded.
  OTEL_EXPORTER_OTLP_ENDPOINT: Joi.string().uri({ scheme: ['http', 'https'] }).allow('').default(''),
  OTEL_EXPORTER_OTLP_HEADERS: Joi.string().allow('').default(''),
  OTEL_TRACES_SAMPLER: Joi.string().valid(...samplers).default('parentbased_traceidratio'),
  OTEL_TRACES_SAMPLER_ARG: Joi.number().min(0).max(1).default(0.1),
  // Empty: institution-api, or institution-worker.
  OTEL_SERVICE_NAME: Joi.string().max(200).allow('').default(''),
  OTEL_RESOURCE_ATTRIBUTES: Joi.string().allow('').default(''),
};

/** Where the traces of a process go, and which calls are recorded. */
export interface TracingSettings {
  sampler: (typeof samplers)[number];
  /** The part of calls that a sampler by ratio records. */
  ratio: number;
  /** Empty for the name of the process. */
  serviceName: string;
}

/** Returns the settings of tracing from the checked environment; null if there is no collector. */
export function parseTracingSettings(value: Record<string, unknown>): TracingSettings | null {
  if (value.OTEL_EXPORTER_OTLP_ENDPOINT === '') return null;
  const sampler = samplers.find((name) => name === value.OTEL_TRACES_SAMPLER) ?? 'parentbased_traceidratio';
  return { sampler, ratio: Number(value.OTEL_TRACES_SAMPLER_ARG), serviceName: String(value.OTEL_SERVICE_NAME) };
}

/** The traces of a process that are being recorded. */
export interface Tracing {
  /** Sends what is left, for a second at most. */
  stop(): Promise<void>;
}
