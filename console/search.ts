import { href, pathTo } from './consoleRequest';

/** The page of an id, by its prefix; workflow ids of deliveries and endpoints too. */
const destinations: readonly { pattern: RegExp; path: (id: string) => string }[] = [
  { pattern: /^(whd_[a-z0-9]{1,60})(?::\d+)?$/, path: pathTo.delivery },
  { pattern: /^(evt_[a-z0-9]{1,60})$/, path: pathTo.event },
  { pattern: /^(we_[a-z0-9]{1,60})(?::\d+)?$/, path: pathTo.endpoint },
  { pattern: /^(ins_[a-z0-9]{1,60})$/, path: pathTo.institution },
];

/** Returns the page for a text of the search box; anything but an id searches the institutions. */
export function searchDestination(typed: string): string {
  // An id copied from an email or a log may have blanks, quotes or a full stop around it.
  const bare = typed.trim().replaceAll(/^["'`<([]+|["'`>)\].,;]+$/g, '').toLowerCase();
  for (const { pattern, path } of destinations) {
    const [, id] = pattern.exec(bare) ?? [];
    if (id !== undefined) return href(path(id));
  }
  return href('/institutions', { q: typed.trim().slice(0, 200) });
}
