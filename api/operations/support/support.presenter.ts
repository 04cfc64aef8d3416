import type { AuditedChange } from '../../../db/repositories/auditLog/auditLog';
import type { ListedEvent } from '../../../db/repositories/support/events';
import type { FoundSeat } from '../../../db/repositories/support/seats';
import type { BulkCall } from '../../../domain/support/bulkCall';
import { whenAndByWhom } from '../../../domain/support/delay';
import type { ExplainedEvent } from '../../../domain/support/explainEvent';
import type { PersonAccount } from '../../../domain/support/personAccount';
import type { SearchResult } from '../../../domain/support/search';
import type { SeatEnd, SeatWithEnd } from '../../../domain/support/seatEnd';
import { idsInEvent } from '../../../domain/support/idsInEvent';
import { isoOrNull } from '../../http/request/fields';
import type { AccountResponse, BulkCallResponse, ExplainedEventResponse, ListedEventResponse, SearchResponse, SeatResponse } from './support.schemas';

const presentSeat = ({ id, app, platform, status, signed_in_at, last_seen_at, ended_at }: FoundSeat): AccountResponse['seats'][number] => ({
  id, app, platform, status, signed_in_at: signed_in_at.toISOString(), last_seen_at: last_seen_at.toISOString(), ended_at: isoOrNull(ended_at),
});

const presentSeatEnd = ({ reason, successor, change }: SeatEnd): string =>
  `${reason}${successor === undefined ? '' : `: ${successor}`}${change === undefined ? '' : `: ${change.operation} ${whenAndByWhom(change)}`}`;

const presentSeatWithEnd = ({ end, ...seat }: SeatWithEnd): SeatResponse => ({ ...presentSeat(seat), ended_because: end === undefined ? null : presentSeatEnd(end), replaced_by: end?.successor ?? null });

const presentAccount = ({ login_email, personal_email_mapped, enrolment_code_required, lock, suspension, license_id, license_status, license_expires_at, licenseChange, seats }: PersonAccount): AccountResponse => ({
  login_email,
  personal_email_mapped,
  enrolment_code_required,
  locked_since: isoOrNull(lock?.since ?? null),
  locked_until: isoOrNull(lock?.until ?? null),
  suspended: suspension === undefined ? null : whenAndByWhom(suspension),
  license: license_id === null || license_status === null ? null : { id: license_id, status: license_status, expires_at: isoOrNull(license_expires_at), changed: licenseChange === undefined ? null : whenAndByWhom(licenseChange) },
  seats: seats.map(presentSeat),
});

const presentBulkCall = ({ created, failed, open, has_idempotency_key, failedItems, createdItems, repeat }: BulkCall): BulkCallResponse => ({
  created, failed, open, has_idempotency_key, failed_rows: failedItems.map(({ index, error, fields, reason }) => ({ index, error, fields, reason })), created_rows: createdItems.map(({ index, id }) => ({ index, id })), repeat,
});

/** What is known of what a search found beyond its row: the account of a person, the change of a license, what became of a bulk call, the end of a seat. */
interface FoundFacts {
  account: PersonAccount | undefined;
  change: AuditedChange | undefined;
  bulk: BulkCall | undefined;
  seat: SeatWithEnd | undefined;
}

/** What a search found. */
export const presentSearch = ({ query, lookedFor, items, note }: SearchResult, { account, change, bulk, seat }: FoundFacts): SearchResponse => ({
  query,
  looked_for: lookedFor,
  items: items.map(({ kind, id, state, parent_id, institution_id, institution_name, created_at, description }) => ({
    kind, id, state, parent_id, institution_id, institution_name, created_at: created_at.toISOString(),
    account: account === undefined ? null : presentAccount(account), changed: change === undefined ? null : whenAndByWhom(change), bulk: bulk === undefined ? null : presentBulkCall(bulk),
    seat: seat === undefined ? null : presentSeatWithEnd(seat), description,
  })),
  note,
});

/** An event of a list. */
export const presentListedEvent = ({ id, type, created_at, deliveries }: ListedEvent): ListedEventResponse => ({ id, type, created_at: created_at.toISOString(), deliveries });

/** An event with what became of it at each endpoint. */
export const presentExplainedEvent = ({ event, endpoints }: ExplainedEvent): ExplainedEventResponse => ({
  id: event.id,
  type: event.type,
  created_at: event.created_at.toISOString(),
  institution_id: event.institution_id,
  institution_name: event.institution_name,
  time_zone: event.time_zone,
  ids: event.body === null ? null : idsInEvent(event.body),
  pruned: event.body === null,
  endpoints: endpoints.map(({ endpoint_id, url, description, outcome, reason, at, delivery_id }) => ({ endpoint_id, url, description, outcome, reason, at: isoOrNull(at), delivery_id })),
});
