/** What makes two spellings one address: without outer spaces, in one Unicode form, in lower case. */
export function emailKeyOf(email: string): string {
  return email.trim().toLowerCase().normalize('NFC')
}

/** The domain of an address in the form of `emailKeyOf`; empty where there is none. */
export function domainOf(emailKey: string): string {
  return emailKey.slice(emailKey.lastIndexOf('@') + 1)
}
