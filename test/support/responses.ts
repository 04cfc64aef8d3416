import type { ApiResponse } from './api';

const idOf = ({ id }: { id: string }): string => id;

/** The ids of things that were answered, in their order. */
export const idsIn = (items: readonly { id: string }[]): string[] => items.map(idOf);

/** The ids of a list's items. */
export const idsOf = ({ data }: ApiResponse): string[] => idsIn(data.items);

/** Status, error code and the paths of the issues of an error response. */
export const errorSummary = ({ status, body }: ApiResponse): unknown[] => [
  status,
  body.error,
  ...(body.issues === undefined ? [] : [body.issues.map(({ path }: { path: string }) => path).sort()]),
];
