import { readSettings } from '../../config/settings';
import { environmentOf } from '../support/programs';
import { stack, type TestStack } from '../support/stack';

let own: TestStack;

beforeAll(async () => {
  own = await stack();
});

afterAll(() => own.stop());

const tracing = (variables: Record<string, string>) => readSettings({ ...environmentOf(own.settings()), ...variables }).tracing;
const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://127.0.0.1:4318';

it('traces are off unless a collector is named', () => {
  expect(tracing({})).toBeNull();
  expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_SAMPLER: 'always_on' })).toBeNull();
});

it('one call in ten is recorded unless a sampler says otherwise', () => {
  expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({ sampler: 'parentbased_traceidratio', ratio: 0.1, serviceName: '' });
  expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: 'always_on' })).toMatchObject({ sampler: 'always_on' });
  expect(tracing({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.01', OTEL_SERVICE_NAME: 'one' })).toEqual({ sampler: 'traceidratio', ratio: 0.01, serviceName: 'one' });
});

it.each([{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, { OTEL_TRACES_SAMPLER_ARG: '2' }, { OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://127.0.0.1:4317' }])('a process does not start with %j', (wrong) => {
  expect(() => tracing({ OTEL_EXPORTER_OTLP_ENDPOINT, ...wrong })).toThrow(Object.keys(wrong)[0]);
});
