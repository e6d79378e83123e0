/** The key by which addresses are compared: trimmed, Unicode-normalized, lower case. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}

/** The domain of a key from `emailKeyOf`; empty when there is none. */
export function domainOf(emailKey: string): string {
  return emailKey.slice(emailKey.lastIndexOf('@') + 1)
}
