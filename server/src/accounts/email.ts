/** The key by which addresses are compared: trimmed, Unicode-normalized, lower case. */
export function toEmailKey(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}

/** The domain of a key from `toEmailKey`; empty when there is none. */
export function toDomain(emailKey: string): string {
  return emailKey.slice(emailKey.lastIndexOf('@') + 1)
}
