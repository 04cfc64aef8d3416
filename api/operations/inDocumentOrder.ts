/** Tags in the order of the documents; others follow by name. */
const tags = [
  'Meta', 'Institution', 'Institutions', 'Keys', 'Developers', 'Students', 'Faculty', 'Groups', 'Licenses', 'Exams', 'Exams (coding)', 'Submissions',
  'Guardians', 'Alpha Learning', 'Merits', 'Coupons', 'Webhooks and events', 'Audit log', 'Sign-in', 'Workflows', 'Staff', 'Apps', 'Guardian portal', 'Sandbox',
];

interface Listed {
  tag: string;
  path: string;
}

const positionOf = (tag: string): number => (tags.includes(tag) ? tags.indexOf(tag) : tags.length);
const depthOf = (path: string): number => path.split('/').length;

/** Sorts records by tag, and within a tag each path before its subpaths. */
export function inDocumentOrder<Record extends Listed>(records: readonly Record[]): Record[] {
  return [...records].sort((one, other) =>
    positionOf(one.tag) - positionOf(other.tag) || one.tag.localeCompare(other.tag) || depthOf(one.path) - depthOf(other.path));
}
