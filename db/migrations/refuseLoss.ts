/**
 * Returns the first statement of a `down`: it fails if a table to be dropped contains data stored nowhere else, by a
 * condition for each table. It locks the tables, so that no row is added in between.
 */
export function refuseLoss(losses: Readonly<Record<string, string>>): string {
  const checks = Object.entries(losses).map(
    ([table, held]) => `
  IF EXISTS (SELECT 1 FROM ${table} WHERE ${held}) THEN
    RAISE EXCEPTION 'undoing this migration would lose rows of ${table}, which nothing else holds: copy them, and take them away first';
  END IF;`,
  );
  return `
LOCK TABLE ${Object.keys(losses).join(', ')} IN ACCESS EXCLUSIVE MODE;
DO $$ BEGIN${checks.join('')}
END $$;
`;
}
