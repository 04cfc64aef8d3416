/**
 * Whose data a response contains, for the record of disclosures. `nobody`: no person's; `caller`: the caller's own alone;
 * `many`: of several people. `parameter`: of the one whom this parameter of path or query names, by id or login email, and of
 * many if it is absent. `identifier`: the parameter with the institution's own identifier of a person; where it finds one, the response
 * is of that person alone. `fields`: of the one whose id the first of these fields of the response has that has one, and of nobody
 * if none has; each is a path with dots. `recordings`: the field with recordings, which not every caller gets. `archive`:
 * the field with an archive of all data, without which nothing is disclosed. `institution`: the field with the institution of the
 * person, for operations of no institution. `everything`: the field with an archive of everybody's data, without which nothing is
 * disclosed.
 */
export type Discloses =
  | 'nobody'
  | 'caller'
  | 'many'
  | { readonly parameter: string; readonly identifier?: string }
  | { readonly everything: string; readonly institution: string }
  | { readonly fields: readonly string[]; readonly recordings?: string; readonly archive?: string; readonly institution?: string };
