import { environmentSchema } from '../../../config/settings';

/** A variable of the program, as Joi describes its rules. */
export interface DescribedVariable {
  type: string;
  flags?: { presence?: string; only?: boolean };
  allow?: unknown[];
  rules?: { name: string; args?: { limit?: number; regex?: string; options?: { scheme?: string[] } } }[];
}

/** What the chart sets itself, from values of its own: where processes listen, their folders and files, what each worker is. */
export const chartVariables: readonly string[] = [
  'HOST', 'PORT', 'PLATFORM_HOST', 'PLATFORM_NAMES', 'PLATFORM_PORT', 'WORKER_PORT', 'APP_PORT', 'UPLOAD_SPOOL_FOLDER', 'SPOOL_MAX_BYTES',
  'WORKER_QUEUES', 'TEMPORAL_DEPLOYMENT_NAME', 'TEMPORAL_BUILD_ID',
  'TEMPORAL_TLS_CA_FILE', 'TEMPORAL_TLS_CERT_FILE', 'TEMPORAL_TLS_KEY_FILE', 'TEMPORAL_TLS_SERVER_NAME', 'TEMPORAL_API_KEY_FILE',
];

/** What comes from Secrets alone: keys, tokens, and URLs with a password. */
const secretVariables: readonly string[] = [
  'DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_REPLICA_URL', 'REDIS_URL', 'SMTP_URL', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY',
  'MASTER_KEYS', 'ENCRYPTION_KEYS', 'FINGERPRINT_KEY', 'PLATFORM_TOKEN', 'OIDC_CLIENT_SECRET', 'TEMPORAL_CODEC_KEYS', 'OTEL_EXPORTER_OTLP_HEADERS', 'REDIS_SENTINEL_PASSWORD',
];

/** Of the migration alone, which reads it without the settings. */
export const ownerVariable = 'MIGRATION_DATABASE_URL';

/** Required in the production profile, though they have a default. */
const requiredInProduction: readonly string[] = ['PUBLIC_BASE_URL', 'GUARDIAN_PORTAL_URL', 'PORTAL_URL', 'PLATFORM_ADMIN_EMAIL'];

/** Every variable of the program, with its rules. */
export const programVariables: ReadonlyMap<string, DescribedVariable> = new Map(Object.entries(environmentSchema.describe().keys));

const isRequired = (name: string): boolean => programVariables.get(name)?.flags?.presence === 'required' || requiredInProduction.includes(name);

/** The variables that values name below `secrets`. */
export const secrets = [ownerVariable, ...secretVariables.filter((name) => programVariables.has(name))].sort();
/** The variables that values name below `settings`. */
export const settings = [...programVariables.keys()].filter((name) => !chartVariables.includes(name) && !secretVariables.includes(name)).sort();

export const requiredSecrets = [ownerVariable, ...secrets.filter(isRequired)].sort();
export const requiredSettings = settings.filter(isRequired);
