/** Whether a statement failed on either engine because another row has the same unique value. */
export function isUniqueConflict(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  return code === postgresUniqueViolation || errcode === sqliteConstraintUnique
}

const postgresUniqueViolation = '23505'
const sqliteConstraintUnique = 2067
