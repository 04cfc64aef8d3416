/** Settings of a session of Postgres, by name. Their values have the unit that pg_settings shows them in. */
export type SessionSettings = Readonly<Record<string, string>>;

/**
 * Where sessions get their settings: from the message that opens a connection, or from their role. A pooler that lends each
 * connection for one transaction, such as PgBouncer, passes on no settings of the first kind.
 */
export type SettingsSource = 'connection' | 'role';

/** A process with an address past a pooler reaches its database through one. */
export const settingsSource = ({ databaseDirectUrl }: { databaseDirectUrl: string | null }): SettingsSource => (databaseDirectUrl === null ? 'connection' : 'role');

/** Of every session of the service: timeouts for locks, statements and idle transactions, in ms. */
export const serviceSettings: SessionSettings = { lock_timeout: '2000', statement_timeout: '30000', idle_in_transaction_session_timeout: '10000' };

/**
 * Of the sender's sessions. A lock held for longer than the lock timeout delays only its own deliveries; the others of the
 * group must not wait. Planning its statements costs as much as running them, and a cached plan that Postgres made while the
 * tables were small reads them whole once they are large. So these sessions cache plans that use indexes at any table size,
 * which is right for groups of rows that are found by their keys: in their order, where a few of many are asked for.
 */
export const senderSettings: SessionSettings = {
  ...serviceSettings,
  lock_timeout: '500',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_sort: 'off',
};

/** Of migrations: their statements take what they take, but wait for a lock no longer than others can wait behind them. */
export const migrationSettings = (lockTimeoutMs: number): SessionSettings => ({ lock_timeout: String(lockTimeoutMs), statement_timeout: '0', idle_in_transaction_session_timeout: '0' });

/** The settings as the startup message of a connection has them. */
export const startupOptions = (settings: SessionSettings): string => Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`).join(' ');

/** The role of the sender's sessions where settings come by role. */
export const senderRole = (serviceRole: string): string => `${serviceRole}_sender`;

/** The same database for the sender's role, which has the password of the service's. */
export function senderUrl(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.username = encodeURIComponent(senderRole(decodeURIComponent(url.username)));
  return url.href;
}
