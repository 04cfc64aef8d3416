const uniqueViolation = '23505';

/** Whether a write failed on the unique constraint or index with this name. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  const cause = error instanceof Error && 'driverError' in error ? error.driverError : error;
  return (
    cause instanceof Error &&
    'code' in cause &&
    cause.code === uniqueViolation &&
    'constraint' in cause &&
    cause.constraint === constraint
  );
}
