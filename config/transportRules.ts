import { isLocalhostName, isLoopbackAddress } from '../lib/loopback';

type Environment = Record<string, string | undefined>;

/** What the production profile requires of a variable; `isMet` gets its value and the whole environment. */
export interface ProductionRule {
  name: string;
  requirement: string;
  isMet: (value: string | undefined, environment: Environment) => boolean;
}

const parse = (url = ''): URL | undefined => (URL.canParse(url) ? new URL(url) : undefined);
const isOn = (value: string | undefined): boolean => value?.toLowerCase() === 'true';
const isThisMachine = (host: string): boolean => isLocalhostName(host) || isLoopbackAddress(host.replace(/^\[(.*)\]$/, '$1'));

/** Whether a connection string has Postgres verified by its certificate, or reached through a socket of this machine. */
function isPrivateDatabase(text: string | undefined): boolean {
  const url = parse(text);
  if (url === undefined) return false;
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname);
  return host.startsWith('/') || url.searchParams.get('sslmode') === 'verify-full';
}

/** The name and the port of the mail catcher in the compose file. */
const isMailCatcher = (url: URL | undefined): boolean => url?.hostname === 'mailpit' || url?.port === '1025';

/** Whether an address, host:port, is of this machine. */
const isLocalAddress = (address = ''): boolean => isThisMachine(address.replace(/:\d+$/, ''));

/** What the production profile requires of connections: nobody between them reads or changes what they carry. */
export const transportRules: readonly ProductionRule[] = [
  { name: 'SMTP_URL', requirement: 'name a mail server, not the catcher mailpit', isMet: (url) => !isMailCatcher(parse(url)) },
  { name: 'REDIS_URL', requirement: 'have a password', isMet: (url) => (parse(url)?.password ?? '') !== '' },
  {
    name: 'REDIS_SENTINEL_PASSWORD',
    requirement: 'be set with REDIS_SENTINELS, which say where the password of REDIS_URL goes',
    isMet: (password = '', { REDIS_SENTINELS: sentinels = '' }) => sentinels === '' || password !== '',
  },
  {
    name: 'DATABASE_URL',
    requirement: 'have sslmode=verify-full or a socket, unless DATABASE_ALLOW_PLAINTEXT is true',
    isMet: (url, environment) => isOn(environment.DATABASE_ALLOW_PLAINTEXT) || isPrivateDatabase(url),
  },
  {
    name: 'DATABASE_DIRECT_URL',
    requirement: 'be empty, or have sslmode=verify-full or a socket, unless DATABASE_ALLOW_PLAINTEXT is true',
    isMet: (url = '', environment) => url === '' || isOn(environment.DATABASE_ALLOW_PLAINTEXT) || isPrivateDatabase(url),
  },
  {
    name: 'DATABASE_REPLICA_URL',
    requirement: 'be empty, or have sslmode=verify-full or a socket, unless DATABASE_ALLOW_PLAINTEXT is true',
    isMet: (url = '', environment) => url === '' || isOn(environment.DATABASE_ALLOW_PLAINTEXT) || isPrivateDatabase(url),
  },
  {
    name: 'TEMPORAL_ADDRESS',
    requirement: 'be on the loopback address or TEMPORAL_TLS true, unless TEMPORAL_ALLOW_PLAINTEXT is true',
    isMet: (address, environment) => isOn(environment.TEMPORAL_ALLOW_PLAINTEXT) || isOn(environment.TEMPORAL_TLS) || isLocalAddress(address),
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    requirement: 'be an https:// URL or on the loopback address with OTEL_EXPORTER_OTLP_HEADERS, which may hold a token',
    isMet: (endpoint = '', { OTEL_EXPORTER_OTLP_HEADERS: headers = '' }) => {
      const url = parse(endpoint);
      return headers === '' || url === undefined || url.protocol === 'https:' || isThisMachine(url.hostname);
    },
  },
];
