/**
 * What the types of operational events begin with: they report on the delivery of events, and go only to who names them in a
 * subscription or a query, never to `*`.
 */
export const operationalPrefix = 'endpoint.';

/** The SQL condition that an event type, an expression, is operational. */
export const isOperationalSql = (type: string): string => `starts_with(${type}, '${operationalPrefix}')`;
