import Joi from 'joi';
import { commaList } from '../lib/commaList';

/** How a process reaches Redis: a server, or the primary that Sentinels name. */
export interface RedisSettings {
  /** Of the server; with Sentinels, user, password, database and encryption of the primary are taken from it, and its address from them. */
  redisUrl: string;
  redisKeyPrefix: string;
  /** Null without Sentinels. */
  redisSentinels: RedisSentinels | null;
}

/** The Sentinels that agree on the primary of a group. */
export interface RedisSentinels {
  addresses: { host: string; port: number }[];
  /** The group's name at the Sentinels. */
  name: string;
  /** Of the Sentinels themselves; empty if they have none. */
  password: string;
}

/** The variables of {@link RedisSettings}. */
export const redisVariables = {
  REDIS_URL: Joi.string().uri({ scheme: ['redis', 'rediss'] }).required(),
  // Empty: REDIS_URL names the server itself.
  REDIS_SENTINELS: Joi.string().allow('').default(''),
  REDIS_SENTINEL_NAME: Joi.string().allow('').max(100).default(''),
  REDIS_SENTINEL_PASSWORD: Joi.string().allow('').default(''),
  REDIS_KEY_PREFIX: Joi.string().max(64).default('institution:'),
};

const addressPattern = /^(?<host>[\w.-]+|\[[0-9a-f:]+\]):(?<port>\d{1,5})$/i;

function parseAddress(text: string): { host: string; port: number } {
  const { host, port } = addressPattern.exec(text)?.groups ?? {};
  if (host === undefined || Number(port) > 65_535) throw new Error('REDIS_SENTINELS must be a comma list of addresses such as sentinel-1:26379');
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

/** Reads the variables that `text` returns; throws if there are Sentinels without a name, or a name without Sentinels. */
export function parseRedisSettings(text: (name: string) => string): RedisSettings {
  const addresses = commaList(text('REDIS_SENTINELS')).map(parseAddress);
  const name = text('REDIS_SENTINEL_NAME');
  if ((addresses.length > 0) !== (name !== '')) throw new Error('REDIS_SENTINELS and REDIS_SENTINEL_NAME must be set together');
  return {
    redisUrl: text('REDIS_URL'),
    redisKeyPrefix: text('REDIS_KEY_PREFIX'),
    redisSentinels: addresses.length === 0 ? null : { addresses, name, password: text('REDIS_SENTINEL_PASSWORD') },
  };
}
