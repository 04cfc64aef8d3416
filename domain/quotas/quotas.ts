import type { InstitutionScope } from '../../db/database';
import { findQuotas, writeQuotas, type QuotasRow } from '../../db/repositories/quotas/quotas';
import type { Transaction } from '../context';

const gibibyte = 1024 ** 3;

/** The quotas of an institution for which the platform has set none; of its files as a whole there is none. */
export const defaultQuotas: QuotasRow = { attempt_bytes: gibibyte, student_bytes: 5 * gibibyte, institution_bytes: null, daily_new_addresses: 5_000 };

/** What the platform may set: bytes, and emails. */
export const quotaBounds = { bytes: 1_024 * 1_024 * gibibyte, emails: 1_000_000 };

/** Returns the quotas of the institution. */
export const readQuotas = async (scope: InstitutionScope): Promise<QuotasRow> => (await findQuotas(scope)) ?? defaultQuotas;

/** Replaces the quotas of the institution. What is stored beyond a lower quota stays. */
export const replaceQuotas = (tx: Transaction, quotas: QuotasRow): Promise<void> => writeQuotas(tx, quotas);
