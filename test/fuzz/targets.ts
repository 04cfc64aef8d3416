import { platformOperations } from '../../api/operations/platform';
import { publicOperations } from '../../api/operations/public';
import { kindOfField, pathParameterKinds } from '../support/resourceFactories';
import type { Program } from '../support/programs';

/** What is fuzzed of an operation. */
type Fuzzed = Pick<(typeof publicOperations)[number] | (typeof platformOperations)[number], 'method' | 'path' | 'request'>;

/** One of the two APIs as the fuzzer meets it. */
export interface Target {
  operations: readonly Fuzzed[];
  baseUrl(api: Program): string;
  /** The name of what each parameter of a path names, where it is known. */
  namesInPath(path: string): (readonly [parameter: string, named: string | undefined])[];
  /** The same for a filter or a field of a body. */
  nameOfField(path: string, field: string): string | undefined;
  /** Files of `test/fuzz` that its configuration is made of. */
  settings: readonly string[];
}

/** What a parameter of the platform API names, by the path up to it. */
const platformPaths: Readonly<Record<string, string>> = {
  '/institutions/:id': 'institution',
  '/institutions/:id/webhook-endpoints/:endpoint_id': 'endpoint',
  '/institutions/:id/deliveries/:delivery_id': 'delivery',
  '/institutions/:id/coupon-batches/:batchId': 'couponBatch',
  '/keys/:id': 'key',
  '/developers/:id': 'developer',
  '/staff/:id': 'staff',
  '/staff/:id/tokens/:token_id': 'staffToken',
  '/licenses/:id': 'license',
  '/app/exams/:id': 'exam',
  '/app/attempts/:id': 'attempt',
  '/alpha/curricula/:id': 'curriculum',
  '/students/:id': 'student',
  '/faculty/:id': 'faculty',
  '/guardian/students/:id': 'student',
  '/guardian/submissions/:id': 'submission',
};

const platformFields: Readonly<Record<string, string>> = { institution_id: 'institution', login_email: 'person', enrollment_id: 'enrollment' };

/** The parameters of a path as `:name`, each with the path up to it. */
const parametersOf = (path: string): (readonly [parameter: string, upTo: string])[] =>
  [...path.matchAll(/:(\w+)/g)].map((match) => [match[1] ?? '', path.slice(0, match.index + match[0].length)]);

export const targets: Readonly<Record<'public' | 'platform', Target>> = {
  public: {
    operations: publicOperations,
    baseUrl: ({ baseUrl }) => baseUrl,
    namesInPath: pathParameterKinds,
    nameOfField: (path, field) => kindOfField(path, field) ?? undefined,
    settings: ['schemathesis.toml', 'public.toml'],
  },
  platform: {
    operations: platformOperations,
    baseUrl: ({ internalUrl }) => `${internalUrl}/platform/v1`,
    namesInPath: (path) => parametersOf(path).map(([parameter, upTo]) => [parameter, platformPaths[upTo]] as const),
    nameOfField: (path, field) => platformFields[field] ?? kindOfField(path, field) ?? undefined,
    settings: ['schemathesis.toml', 'platform.toml'],
  },
};
