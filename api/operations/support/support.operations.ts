import { notFound } from '../../../domain/errors';
import { findBulkCall } from '../../../domain/support/bulkCall';
import { explainEvent } from '../../../domain/support/explainEvent';
import { findAccount, findLicenseChange } from '../../../domain/support/personAccount';
import { searchEvents } from '../../../domain/support/eventsAbout';
import { search } from '../../../domain/support/search';
import { findSeat } from '../../../domain/support/seatEnd';
import { operation } from '../../http/operation';
import { presentPage } from '../../http/request/fields';
import { institutionParams } from '../institutions/institutions.staff.schemas';
import { presentExplainedEvent, presentListedEvent, presentSearch } from './support.presenter';
import { eventParams, eventsQuery, explainedEventSchema, listedEventsSchema, searchQuery, searchSchema } from './support.schemas';

export const support = [
  operation({
    method: 'GET',
    path: '/search',
    operationId: 'search',
    tag: 'Institutions',
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'Find what a customer quotes: an id of any kind, a request id, a login email or a login domain.',
    description: 'It says what the thing is, of which institution, and when it was created. Of a request id it lists the writes in the audit log. Where there is nothing, `note` says what was looked for.',
    request: { query: searchQuery },
    response: searchSchema,
    errors: [],
    transaction: 'none',
    discloses: { fields: ['items.0.id'], institution: 'items.0.institution_id' },
    handle: async ({ query, domain, caller }) => {
      const result = await search(domain.database.sql, query.q);
      const { database } = domain;
      return presentSearch(result, {
        account: await findAccount(database, result),
        change: await findLicenseChange(database, result),
        bulk: await findBulkCall(database, result, caller.now),
        seat: await findSeat(database, result),
      });
    },
  }),
  operation({
    method: 'GET',
    path: '/institutions/:id/events',
    operationId: 'listInstitutionEvents',
    tag: 'Webhooks and events',
    access: { staff: true, support: true },
    institution: { named: ({ params }) => params.id },
    summary: 'List the events of an institution with their deliveries, newest first.',
    description: 'Events are kept for 30 days.',
    request: { params: institutionParams, query: eventsQuery },
    response: listedEventsSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ query, reads }) => {
      const { page, note } = await searchEvents(reads, query, query);
      return { ...presentPage(page, query, presentListedEvent), note: note ?? null };
    },
  }),
  operation({
    method: 'GET',
    path: '/events/:id',
    operationId: 'explainEvent',
    tag: 'Webhooks and events',
    access: { staff: true, support: true },
    institution: 'none',
    summary: 'Show an event, and for each endpoint of its institution whether it was delivered, or why not.',
    description: 'An event that was pruned, after 30 days, is known by its deliveries, which are kept for 90.',
    request: { params: eventParams },
    response: explainedEventSchema,
    errors: ['not_found'],
    transaction: 'none',
    discloses: 'nobody',
    handle: async ({ params, domain }) => {
      const explained = await explainEvent(domain.database.sql, params.id);
      if (explained === undefined) throw notFound('event', { within: 'service' });
      return presentExplainedEvent(explained);
    },
  }),
];
