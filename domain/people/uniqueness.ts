const uniqueViolation = '23505';

/** Whether a write failed because another person of the institution mapped the same personal email meanwhile. */
export function isEmailRace(error: unknown): boolean {
  const cause = error instanceof Error && 'driverError' in error ? error.driverError : error;
  return (
    cause instanceof Error &&
    'code' in cause &&
    cause.code === uniqueViolation &&
    'constraint' in cause &&
    cause.constraint === 'users_personal_email'
  );
}
